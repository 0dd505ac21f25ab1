/** Questions that users of similar tools asked in public. A test checks that one search in the documentation finds each answer. */
export interface Question {
  question: string;
  /** The issue that asks it, as `owner/repository#number`. Undefined: newcomers searched for it. */
  source?: string;
  /** The words that a user would type into the search. */
  search: string;
  /** The page with the answer. */
  page: string;
}

export const QUESTIONS: readonly Question[] = [
  {
    question: "How do I run tests in parallel against one server?",
    source: "wiremock/wiremock#169",
    search: "parallel tests",
    page: "guides/parallel",
  },
  {
    question: "State leaks between my tests: how do I reset it?",
    source: "wiremock/wiremock#48",
    search: "reset after each test",
    page: "guides/test-runners",
  },
  { question: "Does it send webhooks?", source: "stripe/stripe-mock#369", search: "receive webhooks", page: "guides/webhooks" },
  {
    question: "How do I set a webhook target in a container?",
    source: "stripe/stripe-mock#248",
    search: "host.docker.internal",
    page: "deploy",
  },
  { question: "Does it keep what I send?", source: "stripe/stripe-mock#19", search: "keep state", page: "guides/production" },
  { question: "How do I get a 404?", source: "stoplightio/prism#2164", search: "get a 404", page: "guides/from-prism" },
  {
    question: "How do I simulate a 500 that is not in the description?",
    source: "stoplightio/prism#2165",
    search: "status undeclared 500",
    page: "guides/from-mockoon",
  },
  {
    question: "My client cannot send another header: how do I choose the answer?",
    source: "stoplightio/prism#1887",
    search: "fail without a header",
    page: "guides/from-prism",
  },
  {
    question: "fetch hangs with fake timers",
    source: "vitest-dev/vitest#7314",
    search: "useFakeTimers",
    page: "guides/fake-timers",
  },
  { question: "Does MSW work beside it?", source: "mswjs/msw#1830", search: "msw handlers", page: "guides/msw" },
  {
    question: "localhost is not reachable from my container",
    source: "localstack/localstack#2174",
    search: "container cannot reach",
    page: "guides/troubleshooting",
  },
  {
    question: "The port is in use: how do I change it?",
    source: "localstack/localstack#303",
    search: "port in use",
    page: "guides/troubleshooting",
  },
  {
    question: "The signature check is always false in Express",
    source: "getsentry/sentry#38443",
    search: "express raw body signature",
    page: "guides/express",
  },
  {
    question: "The signature check fails in Next.js",
    source: "AntonioErdeljac/next13-ai-saas#23",
    search: "next.js signature",
    page: "guides/next",
  },
  {
    question: "Can I keep the data after a restart?",
    source: "axllent/mailpit#124",
    search: "data file restart",
    page: "reliability",
  },
  { question: "How many mails does it keep?", source: "axllent/mailpit#27", search: "mails oldest are deleted", page: "limits" },
  {
    question: "400: cannot create a session for a draft",
    source: "opti/panda_doc#47",
    search: "session needs a document that was sent",
    page: "reasons",
  },
  {
    question: "My document stays in draft and is never sent",
    source: "savvi-legal/feedback#171",
    search: "409 send document",
    page: "guides/troubleshooting",
  },
  {
    question: "Links to hosted pages lead nowhere: can I sign in a browser?",
    source: "stripe/stripe-mock#262",
    search: "sign in a browser",
    page: "guides/signing",
  },
  {
    question: "Can I record calls of the real service and play them in CI?",
    source: "stripe/stripe-mock#19",
    search: "record cassette",
    page: "compare",
  },
  {
    question: "Can I use it for load tests?",
    source: "stripe/stripe-mock#262",
    search: "load tests",
    page: "guides/troubleshooting",
  },
  { question: "How do I receive webhooks?", search: "webhook", page: "guides/webhooks" },
  { question: "My polling runs into a timeout", search: "timeout polling", page: "guides/polling" },
  { question: "The document stays in document.uploaded", search: "document.uploaded", page: "guides/polling" },
  { question: "How do I reset between tests?", search: "reset between tests", page: "guides/test-runners" },
  { question: "Which key do I send?", search: "default API key", page: "guides/troubleshooting" },
  { question: "How do I use my own template?", search: "my own template", page: "guides/templates" },
  { question: "How do I describe fields and roles?", search: "template roles fields", page: "guides/templates" },
  { question: "How do I test a 429?", search: "429 retry", page: "guides/retries" },
  { question: "How do I check a signature?", search: "webhook signature", page: "guides/webhooks" },
  { question: "How do I use it from Python?", search: "python", page: "languages" },
  { question: "My code has the host in it", search: "api.pandadoc.com fixed host", page: "guides/fixed-host" },
  { question: "How do I sign for a recipient?", search: "sign document test", page: "guides/signing" },
  { question: "How do I embed the signing page?", search: "embedded signing session", page: "guides/embed" },
  { question: "How do I get the signed PDF?", search: "download pdf", page: "guides/download" },
  { question: "How do I move time?", search: "advance clock", page: "guides/troubleshooting" },
  { question: "How do I run it in Docker?", search: "docker", page: "deploy" },
  { question: "How do I run it in GitHub Actions?", search: "github actions", page: "deploy" },
  { question: "How do I find what breaks my client?", search: "find what breaks", page: "explore" },
  { question: "How do I write a scenario?", search: "scenario file", page: "scenarios" },
  { question: "How do I load fixtures?", search: "fixtures", page: "guides/templates" },
  { question: "What differs from the real service?", search: "differs from production", page: "guides/production" },
  { question: "Which mistakes does lint find?", search: "client lint", page: "lint" },
  { question: "How do I move from WireMock?", search: "wiremock", page: "guides/from-wiremock" },
  { question: "How do I use it in Jest?", search: "jest", page: "guides/test-runners" },
  { question: "How do I test in Playwright?", search: "playwright", page: "guides/playwright" },
  { question: "What changed since the last version?", search: "upgrade", page: "guides/upgrade" },
  { question: "Why was my call refused?", search: "reason of a refusal", page: "reasons" },
  { question: "How do I see the mails?", search: "mails inbox", page: "inspector" },
  { question: "Which environment variables are there?", search: "environment variables", page: "environment" },
  { question: "How do I install it?", search: "install", page: "guides/install" },
];
