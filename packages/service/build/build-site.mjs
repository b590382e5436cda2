/** Builds a Next.js site: scripts and styles, the server, and an entry that validates the settings before the server loads. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

/** Oldest supported browsers. */
const browsers = ["chrome80", "firefox78", "safari14.1"];

/**
 * Builds scripts and styles (dist/assets), the Next.js server (.next/standalone), an entry that validates the settings before the server
 * loads (.next/standalone/apps/<name>/server.js), and the settings alone (config.js).
 * @param root the site's folder.
 * @param name the folder's name below apps/.
 * @param scripts the names of the scripts in src/browser.
 * @param styles the names of the styles in src/styles.
 */
export async function buildSite({ root, name, scripts, styles = ["page"] }) {
  const assets = join(root, "dist", "assets");
  const standalone = join(root, ".next", "standalone", "apps", name);

  rmSync(join(root, "dist"), { recursive: true, force: true });
  await build({
    entryPoints: [
      ...scripts.map((script) => ({ in: join(root, "src", "browser", `${script}.ts`), out: script })),
      ...styles.map((style) => ({ in: join(root, "src", "styles", `${style}.css`), out: style })),
    ],
    outdir: assets,
    bundle: true,
    minify: true,
    format: "iife",
    target: browsers,
    legalComments: "none",
    logLevel: "warning",
  });
  const hash = createHash("sha256");
  for (const name of readdirSync(assets).sort()) hash.update(readFileSync(join(assets, name)));

  const next = createRequire(join(root, "package.json")).resolve("next/dist/bin/next");
  const { status } = spawnSync(process.execPath, [next, "build"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ASSET_VERSION: hash.digest("hex").slice(0, 12), NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (status !== 0) process.exit(status ?? 1);

  cpSync(join(root, "public"), join(standalone, "public"), { recursive: true });
  mkdirSync(join(standalone, "public", "assets"), { recursive: true });
  cpSync(assets, join(standalone, "public", "assets"), { recursive: true });
  cpSync(join(root, ".next", "static"), join(standalone, ".next", "static"), { recursive: true });

  renameSync(join(standalone, "server.js"), join(standalone, "next-server.js"));
  await build({
    // `npm run up` checks the settings of all services before it starts any.
    entryPoints: { server: join(root, "src", "main.ts"), config: join(root, "src", "config.ts") },
    outdir: standalone,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["./next-server.js"],
    // Bundled CommonJS modules require Node's built-in modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
}
