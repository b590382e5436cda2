/**
 * The second half of the build of a package that is published: puts built packages of this repository beside it, and lets every
 * import lead there. What is published then needs nothing that is on no registry, code and types alike.
 * Usage, in the folder of the package: `node inline-packages.mjs contract money`.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const dist = resolve("dist");
const packages = fileURLToPath(new URL("../../", import.meta.url));
const folders = process.argv.slice(2);

for (const folder of folders) {
  rmSync(join(dist, folder), { recursive: true, force: true });
  cpSync(join(packages, folder, "dist"), join(dist, folder), {
    recursive: true,
    filter: (path) => {
      const [, , first] = relative(packages, path).split(sep);
      // The document is no part of a client, and a map would lead to sources that are not there. What was put beside an inlined
      // package itself is beside this one too: once is enough.
      return !path.endsWith(".map") && first !== "openapi" && !folders.includes(first ?? "");
    },
  });
}

/** Where an import leads now: a name into its folder, and what an inlined package had beside itself to the same beside this one. */
function ledTo(file, imported) {
  const named = /^@tillgate\/([\w-]+)$/.exec(imported)?.[1];
  if (named !== undefined) {
    if (!folders.includes(named)) throw new Error(`${file} imports ${imported}, which is not published`);
    return join(dist, named, "index.js");
  }
  if (!imported.startsWith(".")) return undefined;
  const path = resolve(dirname(file), imported);
  const [, nested, ...rest] = relative(dist, path).split(sep);
  return !existsSync(path) && folders.includes(nested ?? "") ? join(dist, nested ?? "", ...rest) : undefined;
}

for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  const file = join(dist, name);
  if (file.endsWith(".map")) rmSync(file);
  if (!/\.(js|d\.ts)$/.test(file)) continue;
  const text = readFileSync(file, "utf8")
    .replace(/\n\/\/# sourceMappingURL=.*/g, "")
    .replace(/(["'])(@tillgate\/[\w-]+|\.[\w./-]+\.js)\1/g, (unchanged, quote, imported) => {
      const target = ledTo(file, imported);
      if (target === undefined) return unchanged;
      const path = relative(dirname(file), target).split(sep).join("/");
      return `${quote}${path.startsWith(".") ? path : `./${path}`}${quote}`;
    });
  writeFileSync(file, text);
}
