/** Builds a site made with Next: its own script and style, the server, and the entry that checks the settings first. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

/** Browsers that are still in use get syntax they know. */
const browsers = ["chrome80", "firefox78", "safari14.1"];

/**
 * Builds scripts and style (dist/assets), the Next server (.next/standalone) and the entry that checks the settings before
 * that server loads (.next/standalone/apps/<name>/server.js), and the settings alone (config.js).
 * @param room the site's folder.
 * @param name the folder's name below apps/.
 * @param scripts the names of the scripts in src/browser.
 * @param styles the names of the styles in src/styles.
 */
export async function buildSite({ room, name, scripts, styles = ["page"] }) {
  const assets = join(room, "dist", "assets");
  const standalone = join(room, ".next", "standalone", "apps", name);

  rmSync(join(room, "dist"), { recursive: true, force: true });
  await build({
    entryPoints: [
      ...scripts.map((script) => ({ in: join(room, "src", "browser", `${script}.ts`), out: script })),
      ...styles.map((style) => ({ in: join(room, "src", "styles", `${style}.css`), out: style })),
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

  const next = createRequire(join(room, "package.json")).resolve("next/dist/bin/next");
  const { status } = spawnSync(process.execPath, [next, "build"], {
    cwd: room,
    stdio: "inherit",
    env: { ...process.env, ASSET_VERSION: hash.digest("hex").slice(0, 12), NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (status !== 0) process.exit(status ?? 1);

  cpSync(join(room, "public"), join(standalone, "public"), { recursive: true });
  mkdirSync(join(standalone, "public", "assets"), { recursive: true });
  cpSync(assets, join(standalone, "public", "assets"), { recursive: true });
  cpSync(join(room, ".next", "static"), join(standalone, ".next", "static"), { recursive: true });

  renameSync(join(standalone, "server.js"), join(standalone, "next-server.js"));
  await build({
    // npm run up checks the settings of all programs before it starts any.
    entryPoints: { server: join(room, "src", "main.ts"), config: join(room, "src", "config.ts") },
    outdir: standalone,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["./next-server.js"],
    logLevel: "warning",
  });
}
