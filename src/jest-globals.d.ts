/**
 * The parts of Jest that src/jest.ts uses. Jest has 175 packages, so `npm ci` installs none of them. The public types name the real
 * modules, and `test/system` checks them against Jest itself.
 */
declare module "@jest/globals" {
  type Hook = (work: () => void | Promise<void>) => void;
  export const beforeAll: Hook;
  export const afterEach: Hook;
  export const afterAll: Hook;
  export const expect: { extend(matchers: never): void };
}

declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> {}
}
