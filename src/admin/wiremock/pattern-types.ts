/** What WireMock's request patterns are made of; apart, as users of the library hold these types too. */

/** One matcher of WireMock's request patterns. */
export interface ValueMatcher {
  equalTo?: string | number | boolean | undefined;
  /** Base64. */
  binaryEqualTo?: string | undefined;
  contains?: string | undefined;
  doesNotContain?: string | undefined;
  matches?: string | undefined;
  doesNotMatch?: string | undefined;
  equalToJson?: unknown;
  ignoreArrayOrder?: boolean | undefined;
  ignoreExtraElements?: boolean | undefined;
  matchesJsonPath?: string | ({ expression: string } & ValueMatcher) | undefined;
  absent?: boolean | undefined;
  caseInsensitive?: boolean | undefined;
  and?: ValueMatcher[] | undefined;
  or?: ValueMatcher[] | undefined;
  not?: ValueMatcher | undefined;
}

export type Matchers = Record<string, ValueMatcher>;

/** One part of a multipart body. Of a file only its digest is kept: match it by `fileName`, `equalTo` or `binaryEqualTo`. */
export interface PartPattern {
  name?: string | undefined;
  fileName?: string | undefined;
  matchingType?: "ANY" | "ALL" | undefined;
  headers?: Matchers | undefined;
  bodyPatterns?: ValueMatcher[] | undefined;
}

/** WireMock's request pattern, with `operationId` and `status` beside it. */
export interface RequestPattern {
  method?: string | undefined;
  url?: string | undefined;
  urlPath?: string | undefined;
  urlPattern?: string | undefined;
  urlPathPattern?: string | undefined;
  urlPathTemplate?: string | undefined;
  pathParameters?: Matchers | undefined;
  headers?: Matchers | undefined;
  cookies?: Matchers | undefined;
  queryParameters?: Matchers | undefined;
  formParameters?: Matchers | undefined;
  basicAuthCredentials?: { username: string; password: string } | undefined;
  bodyPatterns?: ValueMatcher[] | undefined;
  multipartPatterns?: PartPattern[] | undefined;
  operationId?: string | undefined;
  status?: number | undefined;
}
