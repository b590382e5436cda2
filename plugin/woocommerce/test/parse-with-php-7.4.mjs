/**
 * Parses every PHP file of the zip with PHP 7.4, the oldest version that the plugin promises. Nothing is run: the parser
 * alone tells what that version does not know.
 */
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

// A parser that takes everything would prove nothing: this one knows what came with PHP 8.
if ((await parse("<?php $order?->get_id();")).endsWith(" ok")) {
  console.error("This PHP reads what PHP 7.4 cannot.");
  process.exit(1);
}
let refused = 0;
const files = filesBelow(folder, ".php");
for (const file of files) {
  const answer = await parse(readFileSync(file));
  if (/^7\.4\.\d+ ok$/.test(answer)) continue;
  refused += 1;
  console.error(`${path.relative(folder, file)}: ${answer}`);
}
console.log(`PHP 7.4 reads ${files.length - refused} of ${files.length} files.`);
process.exit(refused === 0 && files.length > 0 ? 0 : 1);
