import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createPasswordPrompt } from "../../../src/cli/password.js";

function terminal() {
  const shown: string[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true as const });
  const stderr = {
    write: (text: string | Uint8Array) => {
      shown.push(String(text));
      return true;
    },
  };
  return { stdin, stderr, shown };
}

describe("administrator password", () => {
  it("is read from the terminal to the end of the line, without echo", async () => {
    const { stdin, stderr, shown } = terminal();
    const read = createPasswordPrompt({}, { stdin, stderr })("a@example.com");
    stdin.write("correct horsx\u007fe\r");
    expect(await read).toBe("correct horse");
    expect(shown).toEqual(["Password for a@example.com: ", "\n"]);
  });

  it.each([
    ["Ctrl-C", "abc\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("is rejected if typing is interrupted by %s", async (_name, keys) => {
    const { stdin, stderr } = terminal();
    const read = createPasswordPrompt({}, { stdin, stderr })("a@example.com");
    stdin.write(keys);
    await expect(read).rejects.toMatchObject({
      errorCode: { code: "wrong_password" },
      message: "No password was entered.",
    });
  });

  it("is not prompted for if it is set in the environment", async () => {
    const { stdin, stderr, shown } = terminal();
    expect(
      await createPasswordPrompt({ TILLGATE_ADMIN_PASSWORD: "given" }, { stdin, stderr })("a@example.com"),
    ).toBe("given");
    expect(shown).toEqual([]);
  });
});
