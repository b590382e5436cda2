import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findInstallReason } from "../../bootstrap/install.mjs";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-install-"));
  await mkdir(path.join(folder, "node_modules"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const locked = {
  "": { name: "project" },
  "packages/money": { version: "0.1.0" },
  "node_modules/@project/money": { resolved: "packages/money", link: true },
  "node_modules/pg": { version: "8.0.0", integrity: "sha512-a" },
  "node_modules/for-another-system": { version: "1.0.0", integrity: "sha512-b", optional: true },
};
const { "node_modules/for-another-system": _left, ...installed } = locked;
const lock = (packages: object) =>
  writeFile(path.join(folder, "package-lock.json"), JSON.stringify({ packages }));
const hidden = (packages: object) =>
  writeFile(path.join(folder, "node_modules/.package-lock.json"), JSON.stringify({ packages }));

describe("findInstallReason", () => {
  it("returns undefined if the installed packages match the lockfile, regardless of file dates", async () => {
    await lock(locked);
    await hidden(installed);
    await utimes(path.join(folder, "node_modules/.package-lock.json"), 0, 0);
    expect(await findInstallReason(folder)).toBeUndefined();
  });

  it("reports an interrupted install", async () => {
    await lock(locked);
    expect(await findInstallReason(folder)).toMatch(/interrupted/);
  });

  it("reports a changed version", async () => {
    await lock({ ...locked, "node_modules/pg": { version: "8.0.1", integrity: "sha512-c" } });
    await hidden(installed);
    expect(await findInstallReason(folder)).toBe("pg has changed");
  });

  it("reports a new package or workspace", async () => {
    await lock({ ...locked, "node_modules/@project/stack": { resolved: "stack", link: true } });
    await hidden(installed);
    expect(await findInstallReason(folder)).toBe("@project/stack is missing");
    await lock({ ...locked, "node_modules/zod": { version: "4.0.0", integrity: "sha512-d" } });
    expect(await findInstallReason(folder)).toBe("zod is missing");
  });

  it("fails without a lockfile", async () => {
    await expect(findInstallReason(folder)).rejects.toThrow(/package-lock.json is missing/);
  });
});
