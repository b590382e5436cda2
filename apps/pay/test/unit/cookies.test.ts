import { formatCookie } from "@tillgate/service/web/headers";
import { describe, expect, it } from "vitest";
import { getCookieNames } from "../../src/http/shopper";

describe("getCookieNames", () => {
  it("uses the __Host- prefix and path / over HTTPS", () => {
    const names = getCookieNames(true);
    expect(names.session).toBe("__Host-tillgate_pay_session");
    expect(names.visitor).toBe("__Host-tillgate_pay_visitor");
    expect(formatCookie(names.session, "abc", { path: names.path, secure: true, maxAgeSeconds: 60 })).toBe(
      "__Host-tillgate_pay_session=abc; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60",
    );
  });

  it("omits the prefix over plain HTTP", () => {
    const names = getCookieNames(false);
    expect(formatCookie(names.visitor, "abc", { path: names.path, secure: false })).toBe(
      "tillgate_pay_visitor=abc; Path=/; HttpOnly; SameSite=Lax",
    );
  });
});
