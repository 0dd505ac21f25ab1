/**
 * Words that newcomers type, for the page or section that answers them. Many of these words are not on the page, such as “throttling” or
 * “getting started”. The site puts them into its index, unseen, and ranks the page higher for them.
 */
export const SEARCH_WORDS: Readonly<Record<string, string>> = {
  index: "overview mock double fake get getting started introduction what license mit",
  "guides/install": "get getting started begin setup quickstart requirements uninstall npm yarn pnpm node version windows mac",
  tutorial: "get getting started hello world first example learn quickstart create send document reminder",
  "guides/production":
    "sandbox key difference differences real prod mock oauth limitations trust accurate accuracy faithful fidelity complete",
  "guides/troubleshooting": "debug error errors problem help fails stuck",
  "guides/troubleshooting#_401-with-the-right-key": "unauthorized 401 403 forbidden api key token authentication",
  "guides/troubleshooting#the-clock-stands-still": "time frozen skip",
  "guides/test-runners":
    "mocha jasmine reset beforeeach aftereach before after each setup teardown clean state unit integration delete remove all documents clear between",
  "guides/templates": "template templates uuid role roles field fields pricing table token tokens variables account own seed",
  "guides/parallel": "tenant tenants isolation isolated workers concurrent concurrency shard jest vitest",
  "guides/fake-timers": "fake time travel skip fast forward sleep settimeout jest",
  "guides/fixed-host": "base url nock intercept proxy hosts dns hardcoded self signed certificate https tls ssl",
  "guides/msw": "mock service worker nock",
  languages:
    "pytest rspec phpunit junit csharp dotnet rust sdk client golang csharp net django flask fastapi laravel symfony rails spring kotlin dotnet",
  "guides/polling": "status wait poll draft uploaded ready processing",
  "guides/webhooks":
    "webhook webhooks event events callback notification subscription hmac ngrok tunnel localhost retry duplicate order verify check signatures secret redeliver redelivery resend",
  "guides/retries":
    "throttling throttle rate limit limits too many requests backoff retry resilience timeout network error 500 502 503 fault idempotency connection reset refused econnreset lost slow latency",
  "guides/signing": "signer signers recipient recipients approve approver reject decline declined pay payment signature order",
  "guides/signing#decline-expire-remind":
    "decline declined reject refuse expire expired expires expiration expiry void voided reminder reminders remind",
  "guides/embed": "iframe session embedded react",
  "guides/download": "pdf file certificate archive storage",
  "guides/playwright": "e2e end puppeteer selenium browser",
  "guides/cypress": "e2e end browser",
  "guides/agents-that-send": "mcp llm ai agent claude oauth",
  "guides/saved-worlds": "snapshot snapshots backup restore dump export import persist",
  "guides/open-formats": "export import postman swagger har",
  "guides/from-hand-written-mocks": "stub stubs mock mocks sinon nock jest.mock fake fakes",
  "guides/from-wiremock": "stub stubs stubbing mappings mock",
  deploy:
    "gitlab jenkins circleci pipeline ci cd docker container image github actions admin token password production hosting server",
  explore: "fault faults chaos fuzz resilience inject",
  scenarios: "inject fault faults story yaml actor actors config",
  inspector: "email emails mail mails inbox logs log requests debug ui dashboard see search find documents",
  commands: "cli command options flags arguments port config start",
  environment: "config configuration settings env dotenv file",
  fixtures: "seed data discount quote pricing",
  world:
    "seed data sample examples default pricing quote discount contacts contact folders folder people customers sample workspace workspaces",
  security: "safe safety secrets privacy offline oauth license password passwords admin token tokens exposed public certificate",
  library: "typescript types api createsandbox javascript seed",
  "guides/upgrade": "upgrade migrate migration breaking version versions",
  "guides/express": "fastify koa hapi nest nestjs middleware verify",
  coverage: "supported endpoints operations complete",
  limits: "memory limit limits maximum size missing unsupported endpoints 501",
  reasons: "x docdouble why header refusal reason 400 403 409",
  performance: "fast speed slow benchmark throughput",
};
