export interface ValueMatcher {
  /** The value equals this value. */
  equalTo?: string | number | boolean | undefined;
  /** The bytes equal these bytes, in Base64. */
  binaryEqualTo?: string | undefined;
  /** The text contains this text. */
  contains?: string | undefined;
  /** The text does not contain this text. */
  doesNotContain?: string | undefined;
  /** The whole text matches this regular expression. */
  matches?: string | undefined;
  /** The whole text does not match this regular expression. */
  doesNotMatch?: string | undefined;
  /** The JSON equals this JSON. */
  equalToJson?: unknown;
  /** `equalToJson` ignores the order of lists. */
  ignoreArrayOrder?: boolean | undefined;
  /** `equalToJson` ignores members that the expected JSON lacks. */
  ignoreExtraElements?: boolean | undefined;
  /** The JSON path finds something, or something that matches. */
  matchesJsonPath?: string | ({ expression: string } & ValueMatcher) | undefined;
  /** `true` matches a missing value. */
  absent?: boolean | undefined;
  /** Compares texts in any letter case. */
  caseInsensitive?: boolean | undefined;
  /** All of these match. */
  and?: ValueMatcher[] | undefined;
  /** One of these matches. */
  or?: ValueMatcher[] | undefined;
  /** This does not match. */
  not?: ValueMatcher | undefined;
}

export type Matchers = Record<string, ValueMatcher>;

/** A part of a multipart body. The journal keeps only a file's digest: match files by `fileName`, `equalTo` or `binaryEqualTo`. */
export interface PartPattern {
  /** The name of the part. */
  name?: string | undefined;
  /** The name of the file. */
  fileName?: string | undefined;
  /** Whether any or all parts must match. */
  matchingType?: "ANY" | "ALL" | undefined;
  /** Conditions on headers of the part. */
  headers?: Matchers | undefined;
  /** Conditions on the content of the part. */
  bodyPatterns?: ValueMatcher[] | undefined;
}

/** WireMock's request pattern, extended by `operationId` and `status`. */
export interface RequestPattern {
  /** The HTTP method, or `ANY`. */
  method?: string | undefined;
  /** The exact path and query. */
  url?: string | undefined;
  /** The exact path. */
  urlPath?: string | undefined;
  /** A regular expression for path and query. */
  urlPattern?: string | undefined;
  /** A regular expression for the path. */
  urlPathPattern?: string | undefined;
  /** A path with names in braces. Example: `/public/v1/documents/{id}`. */
  urlPathTemplate?: string | undefined;
  /** Conditions on the values of the names in `urlPathTemplate`. */
  pathParameters?: Matchers | undefined;
  /** Conditions on headers, by name. */
  headers?: Matchers | undefined;
  /** Conditions on cookies, by name. */
  cookies?: Matchers | undefined;
  /** Conditions on query parameters, by name. */
  queryParameters?: Matchers | undefined;
  /** Conditions on form members, by name. */
  formParameters?: Matchers | undefined;
  /** The credentials of HTTP basic authentication. */
  basicAuthCredentials?: { username: string; password: string } | undefined;
  /** Conditions on the body. */
  bodyPatterns?: ValueMatcher[] | undefined;
  /** Conditions on parts of a multipart body. */
  multipartPatterns?: PartPattern[] | undefined;
  /** The operation's id. Example: `createDocument`. */
  operationId?: string | undefined;
  /** The HTTP status of the answer. */
  status?: number | undefined;
}

/** One condition of a pattern that a call misses. */
export interface Difference {
  /** The name of the condition. */
  criterion: string;
  /** The expected value. */
  expected: unknown;
  /** The value in the call. */
  actual: unknown;
}
