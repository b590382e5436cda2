import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockDataDirectory } from "../../src/lock.js";
import { waitForLeftoverServices } from "../../src/ports.js";
import { writePrivateJson } from "../../src/private-file.js";
import { loadSecrets } from "../../src/secrets.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

describe("files with secrets", () => {
  it("are readable by their owner only, even if they replace a file that others can read", async () => {
    const file = path.join(folder, "sandbox.json");
    await writeFile(file, "{}", { mode: 0o644 });
    await writePrivateJson(file, { pin: "314159" });
    expect(await modeOf(file)).toBe(0o600);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ pin: "314159" });
  });

  it("leave nothing behind if they cannot be written", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    await expect(writePrivateJson(path.join(folder, "sandbox.json"), cyclic)).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("secrets", () => {
  it("are created once and reused", async () => {
    const created = await loadSecrets(folder);
    expect(await loadSecrets(folder)).toEqual(created);
    expect(await modeOf(path.join(folder, "secrets.json"))).toBe(0o600);
  });

  it("have the formats that the services require", async () => {
    const secrets = await loadSecrets(folder);
    expect(secrets.internal_key.length).toBeGreaterThanOrEqual(32);
    const [keyId, key] = secrets.encryption_keys.split(":");
    expect(keyId).toBe("k1");
    expect(Buffer.from(key ?? "", "base64")).toHaveLength(32);
    expect(secrets.store_consumer_key).toMatch(/^ck_[0-9a-f]{40}$/);
    expect(secrets.store_consumer_secret).toMatch(/^cs_[0-9a-f]{40}$/);
  });

  it("keep their values when a newer version adds another secret", async () => {
    await writePrivateJson(path.join(folder, "secrets.json"), { encryption_keys: "k0:old", another: "kept" });
    const secrets = await loadSecrets(folder);
    expect(secrets.encryption_keys).toBe("k0:old");
    const written: unknown = JSON.parse(await readFile(path.join(folder, "secrets.json"), "utf8"));
    expect(written).toMatchObject({ another: "kept", internal_key: secrets.internal_key });
  });

  it("in a damaged file are rejected and not replaced", async () => {
    await writeFile(path.join(folder, "secrets.json"), "{");
    await expect(loadSecrets(folder)).rejects.toThrow(/secrets.json is not valid JSON/);
    expect(await readFile(path.join(folder, "secrets.json"), "utf8")).toBe("{");
  });
});

describe("the lock of a data directory", () => {
  it("rejects a second start and reports the process that holds it", async () => {
    const unlock = await lockDataDirectory(folder);
    await expect(lockDataDirectory(folder)).rejects.toThrow(
      `Tillgate is already running in ${folder} (process ${process.pid})`,
    );
    await unlock();
    await (await lockDataDirectory(folder))();
  });

  it("is taken over when its process is gone", async () => {
    await writeFile(
      path.join(folder, "stack.lock"),
      JSON.stringify({ pid: 2 ** 22 + 1, started: "long ago" }),
    );
    await (await lockDataDirectory(folder))();
    expect(await readdir(folder)).toEqual([]);
  });

  it("is taken over when its process ID belongs to another process", async () => {
    const another = { pid: process.ppid, started: "another boot 1" };
    await writeFile(path.join(folder, "stack.lock"), JSON.stringify(another));
    await (await lockDataDirectory(folder))();
  });

  it.each(["", "{", "[]"])("is taken over when a power failure has left %j in it", async (content) => {
    await writeFile(path.join(folder, "stack.lock"), content);
    await waitForLeftoverServices(folder);
    await (await lockDataDirectory(folder))();
    expect(await readdir(folder)).toEqual([]);
  });

  it("does not block the wait for leftover services if its ports are invalid", async () => {
    await writeFile(path.join(folder, "stack.lock"), JSON.stringify({ ports: ["damaged", 70_000] }));
    await waitForLeftoverServices(folder);
  });

  it("is acquired by exactly one of many concurrent starts", async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDirectory(folder)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});
