/** Checks the syntax of the built plugin with PHP 7.4, the oldest supported version. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { getPHPLoaderModule } from "@php-wasm/node-7-4";
import { loadPHPRuntime, PHP } from "@php-wasm/universal";
import { filesBelow } from "../build/texts.mjs";

const folder = path.join(import.meta.dirname, "../dist/tillgate-for-woocommerce");
const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule(), {}));

async function parse(source) {
  php.writeFile("/source.php", source);
  const { text } = await php.run({
    code: `<?php
      try { token_get_all(file_get_contents("/source.php"), TOKEN_PARSE); echo PHP_VERSION, " ok"; }
      catch (ParseError $error) { echo "line ", $error->getLine(), ": ", $error->getMessage(); }`,
  });
  return text;
}

// Verifies that the parser rejects PHP 8 syntax.
if ((await parse("<?php $order?->get_id();")).endsWith(" ok")) {
  console.error("The parser accepts PHP 8 syntax.");
  process.exit(1);
}
let rejected = 0;
const files = filesBelow(folder, ".php");
for (const file of files) {
  const result = await parse(readFileSync(file));
  if (/^7\.4\.\d+ ok$/.test(result)) continue;
  rejected += 1;
  console.error(`${path.relative(folder, file)}: ${result}`);
}
console.log(`PHP 7.4 accepts ${files.length - rejected} of ${files.length} files.`);
process.exit(rejected === 0 && files.length > 0 ? 0 : 1);
