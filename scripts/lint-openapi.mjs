/** `npm run openapi:lint`: checks the built contract's OpenAPI document with Redocly's rules. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./bootstrap/project.mjs";

const { openApiDocument } = await import(
  new URL("../packages/contract/dist/openapi/index.js", import.meta.url).href
).catch((error) => {
  console.error(`The contract is not built (npm run build): ${error.message}`);
  process.exit(1);
});

const folder = mkdtempSync(join(tmpdir(), "tillgate-openapi-"));
try {
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(openApiDocument(), null, 2));
  const { bin } = createRequire(import.meta.url)("@redocly/cli/package.json");
  const cli = join(root, "node_modules/@redocly/cli", bin.redocly);
  const { status } = spawnSync(
    process.execPath,
    [cli, "lint", "--config", join(root, "redocly.yaml"), file],
    {
      cwd: folder,
      stdio: "inherit",
      // No telemetry and no update check.
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
