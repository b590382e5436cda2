import { beforeEach, describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, REFUND, rejection, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;
const visit = () => new Visitor(started.origin).signedIn();
beforeEach(() => {
  api.responses["GET /me"] = me("owner", true);
});

describe("an ID that does not exist in the page's mode", () => {
  it.each([
    ["live", "sandbox", "This is in the sandbox"],
    ["sandbox", "live", "This is in live mode"],
  ])(
    "returns a 404 page under /%s/ that links to the object in the other mode, /%s/",
    async (mode, other, title) => {
      const edge = `/merchants/${MERCHANT}/${other}/refunds/RF-1`;
      api.responses[`GET /merchants/${MERCHANT}/${mode}/refunds/RF-1`] = rejection(404, "refund_not_found");
      api.responses[`GET /merchants/${MERCHANT}/${mode}/refunds/RF-1/timeline`] = rejection(
        404,
        "refund_not_found",
      );
      api.responses[`GET ${edge}`] = success(REFUND);
      api.responses[`GET ${edge}/timeline`] = success({ entries: [], more: false });
      const { status, body } = await visit().get(`/m/${MERCHANT}/${mode}/refunds/RF-1`);
      expect([status, body.includes(title)]).toEqual([404, true]);
      expect(body).toContain(`href="/m/${MERCHANT}/${other}/refunds/RF-1"`);
    },
  );

  it("returns the 404 page if it does not exist in the other mode either", async () => {
    const { status, body } = await visit().get(`/m/${MERCHANT}/live/refunds/RF-2`);
    expect([status, body.includes("Page not found")]).toEqual([404, true]);
  });
});

describe("a used or expired e-mailed link", () => {
  it.each([
    ["/reset-password", "/password-reset/link", "/forgot-password"],
    ["/new-account", "/sign-up/link", "/sign-up"],
    ["/invitation", "/invitation", "/"],
  ])("is explained at %s, with a link to the next step", async (page, edge, way) => {
    api.responses[`POST ${edge}`] = rejection(404, "link_not_valid");
    const { status, body } = await new Visitor(started.origin).get(`${page}?token=used`);
    expect([status, body.includes("This link has expired or was already used")]).toEqual([404, true]);
    expect(body).toContain(`<a class="button main" href="${way}"`);
  });

  it("is reported on submit if it was used in the meantime", async () => {
    api.responses["POST /password-reset/link"] = success({});
    api.responses["POST /password-reset/confirm"] = rejection(404, "link_not_valid");
    const visitor = new Visitor(started.origin);
    const path = "/reset-password?token=used";
    const { body } = await visitor.send(path, "set", { password: "a password that is remembered" });
    expect(body).toContain("This link has expired or was already used");
  });
});
