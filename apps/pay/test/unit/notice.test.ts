import { describe, expect, it } from "vitest";
import { decodeNotice, encodeNotice, noticeCodeSchema } from "../../src/notice";

describe("notice cookie", () => {
  it("round-trips every notice code", () => {
    for (const code of noticeCodeSchema.options) {
      const notice = {
        code,
        identifier: "änna+shop@example.com; Path=/",
        waitSeconds: 30,
        missing: "3.20 USD",
      };
      const value = encodeNotice(notice);
      expect(value).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(decodeNotice(value)).toEqual(notice);
    }
  });

  it("is ignored when malformed", () => {
    const encode = (text: string) => Buffer.from(text).toString("base64url");
    const foreign = [
      undefined,
      "",
      "%%%",
      encode("no json"),
      encode("null"),
      encode('{"code":"<b>pay to 12345</b>","identifier":null,"waitSeconds":null,"missing":null}'),
      encode('{"code":"declined","identifier":null,"waitSeconds":null,"missing":"pay to 12345"}'),
      encode(
        JSON.stringify({
          code: "wrong_sign_in",
          identifier: "x".repeat(300),
          waitSeconds: null,
          missing: null,
        }),
      ),
      encode('{"code":"wrong_sign_in","identifier":null,"waitSeconds":-1,"missing":null}'),
    ];
    for (const value of foreign) expect(decodeNotice(value)).toBeNull();
  });
});
