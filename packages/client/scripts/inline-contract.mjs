/**
 * The second half of the build: puts the built contract, and the money it is written in, beside the client, and lets every import lead
 * there. What is published then needs nothing that is on no registry, code and types alike.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const packages = fileURLToPath(new URL("../../", import.meta.url));
const INLINED = { "@tillgate/contract": "contract", "@tillgate/money": "money" };

for (const folder of Object.values(INLINED)) {
  rmSync(join(dist, folder), { recursive: true, force: true });
  cpSync(join(packages, folder, "dist"), join(dist, folder), {
    recursive: true,
    // The document is no part of a client, and a map would lead to sources that are not there.
    filter: (path) =>
      !path.endsWith(".map") && relative(packages, path) !== join("contract", "dist", "openapi"),
  });
}

for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  const file = join(dist, name);
  if (file.endsWith(".map")) rmSync(file);
  if (!/\.(js|d\.ts)$/.test(file)) continue;
  const text = readFileSync(file, "utf8")
    .replace(/\n\/\/# sourceMappingURL=.*/g, "")
    .replace(/(["'])(@tillgate\/[\w-]+)\1/g, (_import, quote, imported) => {
      const folder = INLINED[imported];
      if (folder === undefined) throw new Error(`${name} imports ${imported}, which is not published`);
      const path = relative(dirname(file), join(dist, folder, "index.js"))
        .split(sep)
        .join("/");
      return `${quote}${path.startsWith(".") ? path : `./${path}`}${quote}`;
    });
  writeFileSync(file, text);
}
