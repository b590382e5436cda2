import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../bootstrap/project.mjs";
import { findOrInstallPhp } from "./php.mjs";
import { runSuiteProgram } from "./suite-program.mjs";

const packageFolder = path.join(root, "plugin/woocommerce");

/**
 * Parses the built plugin with PHP 7.4, the oldest supported version (WebAssembly from npm), and with the installed PHP; then runs PHPUnit.
 * @param {import("./suites.mjs").SuiteContext} context
 */
export async function testWordPressPlugin({ report, environment, signal }) {
  const run = (command, args) =>
    runSuiteProgram(command, args, { signal, environment, folder: packageFolder });
  const oldest = await run(process.execPath, ["test/parse-with-php-7.4.mjs"]);
  const parsed = { passed: oldest === 0 ? 1 : 0, failed: oldest === 0 ? 0 : 1, skipped: 0 };
  if (!findOrInstallPhp()) {
    console.log(
      "SKIPPED: the plugin's PHP tests. PHP with PHPUnit was not found and could not be installed.",
    );
    return { ...parsed, skipped: 1, note: "PHP tests skipped: no PHP with PHPUnit here" };
  }
  const files = listPhpFiles(path.join(packageFolder, "dist/tillgate-for-woocommerce"));
  const each = ["-c", 'printf "%s\\0" "$@" | xargs -0 -n 1 -P 4 php -l >/dev/null', "sh", ...files];
  const syntax = await run("sh", each);
  const junit = `${report}.xml`;
  const args = ["--bootstrap", "bootstrap.php", "--do-not-cache-result", "--log-junit", junit, "."];
  const code = await runSuiteProgram("phpunit", args, {
    signal,
    environment,
    folder: path.join(packageFolder, "tests"),
  });
  const counts = countJunit(junit, code);
  return {
    passed: parsed.passed + counts.passed + (syntax === 0 ? 1 : 0),
    failed: parsed.failed + counts.failed + (syntax === 0 ? 0 : 1),
    skipped: counts.skipped,
  };
}

const listPhpFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".php"))
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Reads the totals of the outermost suite. A missing report, or a nonzero exit code without a failed test, counts as one failure. */
function countJunit(file, exitCode) {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const outermost = /<testsuite [^>]*>/.exec(text)?.[0] ?? "";
  const readTotal = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(outermost)?.[1] ?? 0);
  const failed = readTotal("failures") + readTotal("errors");
  const skipped = readTotal("skipped");
  const hidden = exitCode !== 0 && failed === 0 ? 1 : 0;
  return { passed: readTotal("tests") - failed - skipped, failed: failed + hidden, skipped };
}
