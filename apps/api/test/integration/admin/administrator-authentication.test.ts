import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminCli, expectNoChanges, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let folder: string;

beforeAll(async () => {
  admin = await openAdminCli();
  folder = await mkdtemp(path.join(tmpdir(), "administrators-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await admin.close();
});

describe("the admin CLI's --by option", () => {
  const change = (by: string) => ["currencies", "deactivate", "JPY", "--by", by];

  it("rejects a wrong password, even another administrator's; with the correct password, the named administrator is recorded in the audit log", async () => {
    const own = admin.passwords.get(admin.first) ?? "";
    const others = admin.passwords.get(admin.second) ?? "";
    for (const wrong of [own, "", `${others} `, others.toUpperCase()]) {
      admin.passwords.set(admin.second, wrong);
      const { code, message } = await expectNoChanges(admin, () =>
        admin.runRejected(...change(admin.second)),
      );
      expect({ code, message }).toEqual({
        code: "wrong_password",
        message: `Wrong password for ${admin.second}.`,
      });
    }
    admin.passwords.set(admin.second, others);
    await admin.runJson(...change(admin.second));
    expect((await admin.auditRecords()).at(-1)).toMatchObject({ administrator: admin.second });
    await admin.runJson("currencies", "activate", "JPY", "--by", admin.second);
  });

  it("does not let an administrator approve their own request, even under another administrator's name", async () => {
    const requested = await admin.runJson("currencies", "single-limit", "JPY", "5000", "--by", admin.first);
    const approve = (by: string) => ["requests", "approve", String(requested.request), "--by", by];
    expect((await expectNoChanges(admin, () => admin.runRejected(...approve(admin.first)))).code).toBe(
      "needs_second_administrator",
    );
    const others = admin.passwords.get(admin.second) ?? "";
    admin.passwords.set(admin.second, admin.passwords.get(admin.first) ?? "");
    expect((await expectNoChanges(admin, () => admin.runRejected(...approve(admin.second)))).code).toBe(
      "wrong_password",
    );
    admin.passwords.set(admin.second, others);
    expect(await admin.runJson(...approve(admin.second))).toMatchObject({ status: "approved" });
  });

  it("checks the password even with --dry-run, and rejects a merchant's user", async () => {
    const { email, password } = admin.sandbox.access.merchant_user;
    admin.passwords.set(email, password);
    expect((await admin.runRejected(...change(email))).code).toBe("not_an_administrator");
    admin.passwords.delete(email);
    const stored = admin.passwords.get(admin.first) ?? "";
    admin.passwords.set(admin.first, "wrong");
    expect((await admin.runRejected(...change(admin.first), "--dry-run")).code).toBe("wrong_password");
    admin.passwords.set(admin.first, stored);
  });
});

describe("administrator password of the admin CLI", () => {
  const program = path.resolve(import.meta.dirname, "../../../dist/cli/main.js");

  async function run(environment: Record<string, string>) {
    const child = spawn(
      process.execPath,
      [program, ...["currencies", "deactivate", "KWD", "--dry-run", "--by", admin.first]],
      {
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: admin.sandbox.url,
          TILLGATE_ENCRYPTION_KEYS: [...admin.sandbox.keyring.keys]
            .map(([id, key]) => `${id}:${key.toString("base64")}`)
            .join(","),
          ...environment,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        text += chunk;
      });
    await once(child, "close");
    return { exit: child.exitCode, output: text };
  }

  it("is read from the environment or a file, and not printed", async () => {
    const password = admin.passwords.get(admin.first) ?? "";
    const file = path.join(folder, "password");
    await writeFile(file, `${password}\n`, { mode: 0o600 });
    for (const environment of [
      { TILLGATE_ADMIN_PASSWORD: password },
      { TILLGATE_ADMIN_PASSWORD_FILE: file },
    ]) {
      const { exit, output } = await run(environment);
      expect({ exit, output }).toEqual({
        exit: 0,
        output: expect.stringContaining("Dry run: nothing was changed."),
      });
      expect(output).not.toContain(password);
    }
  });

  it("is required; the error names the settings or states why the password file cannot be read", async () => {
    expect(await run({})).toEqual({
      exit: 1,
      output: `Password for ${admin.first} required: set TILLGATE_ADMIN_PASSWORD or TILLGATE_ADMIN_PASSWORD_FILE, or run the command in a terminal.\n`,
    });
    const { exit, output } = await run({ TILLGATE_ADMIN_PASSWORD_FILE: path.join(folder, "nothing") });
    expect({ exit, output }).toEqual({
      exit: 1,
      output: expect.stringContaining("TILLGATE_ADMIN_PASSWORD_FILE cannot be read: ENOENT"),
    });
  });
});
