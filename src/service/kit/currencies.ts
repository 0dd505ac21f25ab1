/**
 * The currencies of ISO 4217 that are in use, with their codes in upper case. The list stands here because that of a runtime changes
 * with its version. A test compares both.
 */
const CODES = [
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL",
  "BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP",
  "ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR",
  "IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL",
  "LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR",
  "NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD",
  "SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX",
  "USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG",
];

export const CURRENCIES: ReadonlySet<string> = new Set(CODES.flatMap((line) => line.split(" ")));

const DIGITS: Readonly<Record<number, readonly string[]>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" "),
  3: "BHD IQD JOD KWD LYD OMR TND".split(" "),
};

const digits = new Map(Object.entries(DIGITS).flatMap(([count, codes]) => codes.map((code) => [code, Number(count)])));

/** The decimal places of amounts in this currency. */
export function digitsOf(currency: string): number {
  return digits.get(currency) ?? 2;
}
