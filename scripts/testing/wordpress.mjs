import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../bootstrap/project.mjs";
import { findOrInstallPhp } from "./php.mjs";
import { runSuiteProgram } from "./suite-program.mjs";

const room = path.join(root, "plugin/woocommerce");

/**
 * The WordPress plugin's PHP as the zip has it. Syntax is tried with PHP 7.4, the oldest that the plugin promises (as
 * WebAssembly, from npm), and with the PHP of this machine; then PHPUnit runs the plugin's own tests.
 * @param {import("./suites.mjs").SuiteContext} context
 */
export async function testWordPressPlugin({ report, environment, signal }) {
  const run = (command, words) => runSuiteProgram(command, words, { signal, environment, folder: room });
  const oldest = await run(process.execPath, ["test/parse-with-php-7.4.mjs"]);
  const parsed = { passed: oldest === 0 ? 1 : 0, failed: oldest === 0 ? 0 : 1, skipped: 0 };
  if (!findOrInstallPhp()) {
    console.log(
      "SKIPPED: the plugin's PHP tests, as there is no PHP with PHPUnit and none can be installed.",
    );
    return { ...parsed, skipped: 1, note: "PHP tests skipped: no PHP with PHPUnit here" };
  }
  const files = phpFiles(path.join(room, "dist/tillgate-for-woocommerce"));
  const each = ["-c", 'printf "%s\\0" "$@" | xargs -0 -n 1 -P 4 php -l >/dev/null', "sh", ...files];
  const syntax = await run("sh", each);
  const junit = `${report}.xml`;
  const words = ["--bootstrap", "bootstrap.php", "--do-not-cache-result", "--log-junit", junit, "."];
  const code = await runSuiteProgram("phpunit", words, {
    signal,
    environment,
    folder: path.join(room, "tests"),
  });
  const counts = countJunit(junit, code);
  return {
    passed: parsed.passed + counts.passed + (syntax === 0 ? 1 : 0),
    failed: parsed.failed + counts.failed + (syntax === 0 ? 0 : 1),
    skipped: counts.skipped,
  };
}

const phpFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".php"))
    .map((entry) => path.join(entry.parentPath, entry.name));

/** The totals stand on the outermost suite. A run without a report, or that failed without a failed test, counts as one. */
function countJunit(file, exitCode) {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const outermost = /<testsuite [^>]*>/.exec(text)?.[0] ?? "";
  const total = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(outermost)?.[1] ?? 0);
  const failed = total("failures") + total("errors");
  const skipped = total("skipped");
  const hidden = exitCode !== 0 && failed === 0 ? 1 : 0;
  return { passed: total("tests") - failed - skipped, failed: failed + hidden, skipped };
}
