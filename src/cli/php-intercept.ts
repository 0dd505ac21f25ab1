/**
 * Settings and a first file of PHP for `--intercept`. PHP's curl finds the proxy itself. Its streams, such as `file_get_contents`, use
 * a proxy only when their context names it, so each context of the program does.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** PHP 8 lets a program define a function that a setting took away. */
const VERSION_MIN = 80_000;
let redefines: Promise<boolean> | undefined;

/** Writes `docdouble.ini` for `PHP_INI_SCAN_DIR`. @param proxy such as `http://127.0.0.1:4011` */
export async function writePhpSettings(folder: string, proxy: string, caFile: string): Promise<void> {
  redefines ??= promisify(execFile)("php", ["-n", "-r", "echo PHP_VERSION_ID;"], { timeout: 5000 }).then(
    ({ stdout }) => Number(stdout) >= VERSION_MIN,
    () => false,
  );
  const settings = [`curl.cainfo="${caFile}"`, `openssl.cafile="${caFile}"`];
  if (await redefines) {
    const first = join(folder, "docdouble.php");
    writeFileSync(first, firstFile(proxy.replace(/^http:/, "tcp:")));
    settings.push(`auto_prepend_file="${first}"`, "disable_functions=stream_context_create");
  }
  writeFileSync(join(folder, "docdouble.ini"), `${settings.join("\n")}\n`);
}

const firstFile = (proxy: string): string => String.raw`<?php
// Calls of this program to hosts of the service reach docdouble.
namespace Docdouble {
    const PROXY = '${proxy}';

    /** The file that the user's own settings name still runs. */
    function own_first_file(): ?string
    {
        $own = null;
        foreach ([php_ini_loaded_file(), ...explode(',', (string) php_ini_scanned_files())] as $file) {
            $file = trim((string) $file);
            $named = is_file($file) ? (@parse_ini_file($file, false, INI_SCANNER_RAW)['auto_prepend_file'] ?? null) : null;
            if ($named !== null && trim($named, '"\'') !== __FILE__) {
                $own = trim($named, '"\'');
            }
        }
        return $own === null || $own === '' || $own === 'none' ? null : $own;
    }
}

namespace {
    if (!function_exists('stream_context_create')) {
        function stream_context_create(?array $options = null, ?array $params = null)
        {
            foreach ($options ?? [] as $of) {
                if (!is_array($of)) {
                    throw new \ValueError('Options should have the form ["wrappername"]["optionname"] = $value');
                }
            }
            // A stream without a context gets a new one with its first option.
            $stream = tmpfile();
            $known = get_resources('stream-context');
            stream_context_set_option($stream, 'http', 'proxy', \Docdouble\PROXY);
            $made = array_values(array_diff_key(get_resources('stream-context'), $known))[0];
            stream_context_set_option($made, 'http', 'request_fulluri', true);
            foreach ($options ?? [] as $wrapper => $of) {
                foreach ($of as $name => $value) {
                    stream_context_set_option($made, $wrapper, $name, $value);
                }
            }
            if ($params !== null) {
                stream_context_set_params($made, $params);
            }
            fclose($stream);
            return $made;
        }
    }
    stream_context_set_default(['http' => ['proxy' => \Docdouble\PROXY, 'request_fulluri' => true]]);
    if (\Docdouble\own_first_file() !== null) {
        require \Docdouble\own_first_file();
    }
}
`;
