/**
 * The official clients of Python, Java and PHP, made by the same generator as the published ones.
 * Tests cannot use the registries of these languages. Small replacements stand for missing libraries that no test uses.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { officialDescription } from "./official-description.ts";

const execute = promisify(execFile);
/** The files that `.ci/generator` fetches. */
const GENERATOR = resolve("node_modules/.cache/openapi-generator/5.0.0-beta2.jar");
const JAVA = ["-XX:TieredStopAtLevel=1", "-Xshare:auto"];
const JARS = ["okhttp", "okio", "gson"].map((name) => `/usr/share/java/${name}.jar`);
const GUZZLE = "/usr/share/php/GuzzleHttp/autoload.php";
const PYTHON = "/usr/bin/python3";
const PYTHON_PACKAGES = ["urllib3", "dateutil"].map((name) => `/usr/lib/python3/dist-packages/${name}`);

interface Client {
  /** The generator's name for the language, and its options. */
  options: string[];
  /** Whether classes accept members that the description lacks. See `officialDescription`. */
  open: boolean;
  needs: [name: string, ...files: string[]][];
  /** Makes the generated folder usable. Returns the environment that a program needs to use it. */
  finish(folder: string): Promise<Record<string, string>> | Record<string, string>;
}

export type ClientLanguage = keyof typeof CLIENTS;

const CLIENTS = {
  python: {
    options: ["-g", "python-experimental", "--package-name", "pandadoc_client"],
    open: true,
    needs: [["python3-urllib3", PYTHON, ...PYTHON_PACKAGES]],
    finish: finishPython,
  },
  java: {
    options: [
      "-g",
      "java",
      "--library",
      "okhttp-gson",
      ...packages(),
      "--additional-properties",
      "useRuntimeException=true,dateLibrary=java8",
    ],
    open: false,
    needs: [["okhttp-java", ...JARS]],
    finish: finishJava,
  },
  php: {
    options: ["-g", "php", "--invoker-package", "PandaDoc\\Client"],
    open: false,
    needs: [["guzzle", GUZZLE]],
    finish: finishPhp,
  },
} satisfies Record<string, Client>;

export function isClientLanguage(language: string): language is ClientLanguage {
  return Object.hasOwn(CLIENTS, language);
}

/** The first thing that the machine lacks to make and use a client, or undefined. */
export function missingFor(language: ClientLanguage): string | undefined {
  if (!existsSync(GENERATOR)) return "openapi-generator";
  const path = (process.env.PATH ?? "").split(delimiter);
  const program = ["java", "javac"].find((name) => !path.some((folder) => existsSync(join(folder, name))));
  return program ?? CLIENTS[language].needs.find(([, ...files]) => !files.every((file) => existsSync(file)))?.[0];
}

/** Makes the client of a language in the folder. Returns the environment with which a program finds it. */
export async function makeClient(language: ClientLanguage, folder: string): Promise<Record<string, string>> {
  const { options, open, finish } = CLIENTS[language];
  put(folder, "description.json", JSON.stringify(officialDescription({ open })));
  const quiet = ["--global-property", "apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"];
  const args = [...JAVA, "-jar", GENERATOR, "generate", ...options, ...quiet, "-i", "description.json", "-o", "client"];
  await execute("java", args, { cwd: folder, maxBuffer: 64_000_000 });
  return finish(folder);
}

function packages(): string[] {
  const name = "com.pandadoc.client";
  return ["--invoker-package", name, "--api-package", `${name}.api`, "--model-package", `${name}.models`];
}

function put(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Removes an import of a library that the generated code never uses. The first `python3` on the path may lack the libraries. */
function finishPython(folder: string): Record<string, string> {
  const client = join(folder, "client");
  const files = readdirSync(client, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".py"));
  for (const path of files.map((name) => join(client, name))) {
    const text = readFileSync(path, "utf8");
    if (text.includes("nulltype")) writeFileSync(path, text.replace(/^import nulltype.*\n/m, ""));
  }
  return { PYTHONPATH: client, PATH: `${dirname(PYTHON)}${delimiter}${process.env.PATH}` };
}

/** Replaces Composer's autoloader. The official client needs Guzzle 7, and this generator writes for Guzzle 6. */
function finishPhp(folder: string): Record<string, string> {
  const autoload = `<?php
namespace GuzzleHttp\\Psr7 {
    function build_query(array $params) { return Query::build($params); }
}
namespace {
    error_reporting(E_ALL & ~E_DEPRECATED);
    require_once '${GUZZLE}';
    spl_autoload_register(function (string $name) {
        $file = __DIR__ . '/../client/lib/' . strtr(substr($name, strlen('PandaDoc\\\\Client\\\\')), '\\\\', '/') . '.php';
        if (str_starts_with($name, 'PandaDoc\\\\Client\\\\')) require $file;
    });
}
`;
  put(folder, "vendor/autoload.php", autoload);
  return {};
}

/** Replaces two libraries that only Maven's registry has. The client uses a builder of one, and annotations and a log of the others. */
const JAVA_STAND_INS: Record<string, string> = {
  "io/gsonfire/GsonFireBuilder":
    "public class GsonFireBuilder { public com.google.gson.GsonBuilder createGsonBuilder() { return new com.google.gson.GsonBuilder(); } }",
  "io/gsonfire/TypeSelector": "public interface TypeSelector<T> {}",
  "io/swagger/annotations/ApiModel": 'public @interface ApiModel { String value() default ""; String description() default ""; }',
  "io/swagger/annotations/ApiModelProperty":
    'public @interface ApiModelProperty { String value() default ""; String example() default ""; boolean required() default false; }',
  "javax/annotation/Generated": 'public @interface Generated { String[] value(); String date() default ""; }',
  "javax/annotation/Nullable": "public @interface Nullable {}",
  "javax/annotation/Nonnull": "public @interface Nonnull {}",
  "okhttp3/logging/HttpLoggingInterceptor": `public class HttpLoggingInterceptor implements okhttp3.Interceptor {
  public enum Level { BODY }
  public HttpLoggingInterceptor setLevel(Level level) { return this; }
  public okhttp3.Response intercept(Chain chain) throws java.io.IOException { return chain.proceed(chain.request()); }
}`,
};

async function finishJava(folder: string): Promise<Record<string, string>> {
  const sources = "client/src/main/java";
  for (const [name, text] of Object.entries(JAVA_STAND_INS))
    put(folder, `${sources}/${name}.java`, `package ${dirname(name).replaceAll("/", ".")};\n${text}\n`);
  const api = `${sources}/com/pandadoc/client/api`;
  const apis = readdirSync(join(folder, api)).map((name) => join(api, name));
  const flags = [...JAVA.map((flag) => `-J${flag}`), "-proc:none", "-nowarn", "-Xlint:none", "-cp", JARS.join(delimiter)];
  await execute("javac", [...flags, "-sourcepath", sources, "-d", "classes", ...apis], { cwd: folder, maxBuffer: 64_000_000 });
  return { CLASSPATH: [...JARS, join(folder, "classes")].join(delimiter) };
}
