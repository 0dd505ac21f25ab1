/** Types of WireMock's request patterns. A separate file, as the library exports them. */

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

/** A part of a multipart body. The journal keeps only a file's digest: match files by `fileName`, `equalTo` or `binaryEqualTo`. */
export interface PartPattern {
  name?: string | undefined;
  fileName?: string | undefined;
  matchingType?: "ANY" | "ALL" | undefined;
  headers?: Matchers | undefined;
  bodyPatterns?: ValueMatcher[] | undefined;
}

/** WireMock's request pattern, extended by `operationId` and `status`. */
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
