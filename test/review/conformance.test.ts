/** Every entry of the review against the specification and the recorded answers, by its number. */
import "./conformance/people.ts";
import "./conformance/served.ts";
import "./conformance/sources.ts";
import "./conformance/sources-refusals.ts";
