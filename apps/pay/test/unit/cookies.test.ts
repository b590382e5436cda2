import { setCookie } from "@tillgate/service/web/headers";
import { describe, expect, it } from "vitest";
import { cookieNames } from "../../src/http/shopper";

describe("cookies", () => {
  it("are locked to the host under https, as the __Host- prefix asks", () => {
    const names = cookieNames(true);
    expect(names.session).toBe("__Host-tillgate_pay_session");
    expect(names.visitor).toBe("__Host-tillgate_pay_visitor");
    expect(setCookie(names.session, "abc", { path: names.path, secure: true, maxAgeSeconds: 60 })).toBe(
      "__Host-tillgate_pay_session=abc; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60",
    );
  });

  it("stay with the page on plain http, where other apps share the host", () => {
    const names = cookieNames(false);
    expect(setCookie(names.visitor, "abc", { path: names.path, secure: false })).toBe(
      "tillgate_pay_visitor=abc; Path=/; HttpOnly; SameSite=Lax",
    );
  });
});
