/** Every entry of the review on platforms and of other people's clients, by its number. */
import "./platforms/browser-libraries.ts";
import "./platforms/versions.ts";
