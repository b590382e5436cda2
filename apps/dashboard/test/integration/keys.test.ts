import { beforeEach, describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;
const HOME = `/m/${MERCHANT}/live`;
const EDGE = `/merchants/${MERCHANT}/live/credentials`;
const ids = [1, 2, 3].map((at) => `0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e3${at}`);
const at = "2026-11-21T00:00:00+00:00";
const visit = () => new Visitor(started.origin).signedIn();
const sent = () => api.changes().map(({ path, body }) => [path, JSON.parse(body)]);

const key = (id: string | undefined, fields: object) => ({
  ...{ credential_id: id, kind: "client", scope: "pay", client_id: `tg_live_${id}`, standing: "active" },
  ...{
    name: null,
    read_only: false,
    order_only: false,
    reports_only: false,
    created_by: "ada@example.com",
    created_at: at,
    expires_at: null,
  },
  ...{
    last_used_at: "2026-11-22T10:00:00+00:00",
    last_used_address: "192.0.2.1",
    sites: ["shop.example"],
    ...fields,
  },
});

describe("API keys page", () => {
  beforeEach(() => {
    api.responses[`GET ${EDGE}`] = success({
      credentials: [key(ids[0], {}), key(ids[1], { order_only: true }), key(ids[2], { read_only: true })],
    });
    api.responses[`POST ${EDGE}`] = success({
      ...{ credential_id: ids[0], kind: "client", client_id: "tg_live_new", secret: "tgs_live_new" },
      old_secret_expires_at: null,
    });
  });

  it("shows the creator and permissions of each key, and the address of its last use", async () => {
    api.responses["GET /me"] = me("owner", true);
    const { body } = await visit().get(`${HOME}/developers`);
    for (const text of ["ada@example.com", "192.0.2.1", "Create and cancel orders", "Read-only"])
      expect(body).toContain(text);
  });

  it("lists the sites of a key that several sites use", async () => {
    api.responses["GET /me"] = me("owner", true);
    const one = await visit().get(`${HOME}/developers`);
    expect(one.body).not.toContain("Several sites");
    api.responses[`GET ${EDGE}`] = success({
      credentials: [key(ids[0], { sites: ["shop.example", "staging.shop.example"] })],
    });
    const { body } = await visit().get(`${HOME}/developers`);
    expect(body).toContain("Used by shop.example, staging.shop.example");
  });

  it.each([
    ["owner", 4, 3, true],
    ["developer", 3, 2, false],
    ["finance", 1, 0, false],
  ])(
    "offers the role %s %i permissions for a new key, and rotation of %i keys",
    async (role, permissions, rotations, all) => {
      api.responses["GET /me"] = me(role, true);
      const { body } = await visit().get(`${HOME}/developers`);
      const options = /name="may".*?<\/select>/s.exec(body)?.[0].match(/<option/g) ?? [];
      expect([options.length, body.split('data-action="rotate"').length - 1]).toEqual([
        permissions,
        rotations,
      ]);
      expect(body.includes("Only an owner can create keys")).toBe(!all);
    },
  );

  it.each(["orders", "reports"])(
    "creates a Pay API key limited to %s, and rejects this limit for a Partner API token",
    async (may) => {
      api.responses["GET /me"] = me("developer", true);
      await visit().send(`${HOME}/developers`, "make", { kind: "client", may });
      const permissions = { read_only: false, order_only: may === "orders", reports_only: may === "reports" };
      expect(sent()).toEqual([[EDGE, { kind: "client", name: "", ...permissions }]]);
      const { body } = await visit().send(`${HOME}/developers`, "make", { kind: "api_token", may });
      expect(body).toContain("Only Pay API keys");
    },
  );
});

describe("removing a member", () => {
  const MEMBER = "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e41";
  const PATH = `/merchants/${MERCHANT}/members`;
  beforeEach(() => {
    api.responses["GET /me"] = me("owner", true);
    const member = {
      user_id: MEMBER,
      email: "dev@example.com",
      role: "developer",
      disabled: false,
      since: at,
    };
    api.responses[`GET ${PATH}`] = success({ members: [{ ...member, keys: 2 }], invitations: [] });
    api.responses[`POST ${PATH}/${MEMBER}/remove`] = success({});
  });

  it.each([
    ["revoke", true],
    ["keep", false],
  ])("revokes the member’s keys or keeps them, as chosen: %s", async (keys, revoke_keys) => {
    const { body } = await visit().get(`${HOME}/members`);
    expect(body).toContain("2 API keys created by this member");
    await visit().send(`${HOME}/members`, "remove", { of: MEMBER, keys });
    expect(sent()).toEqual([[`${PATH}/${MEMBER}/remove`, { revoke_keys }]]);
  });

  it("requires a choice if the member created keys", async () => {
    const { status } = await visit().send(`${HOME}/members`, "remove", { of: MEMBER, keys: "" });
    expect([status, sent()]).toEqual([422, []]);
  });
});
