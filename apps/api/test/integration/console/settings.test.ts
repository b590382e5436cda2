import {
  consoleAccentPreviewResponseSchema,
  consoleBrandingResponseSchema,
  consoleProfileResponseSchema,
  MAX_BODY_BYTES,
  MAX_LOGO_BODY_BYTES,
  MAX_LOGO_BYTES,
} from "@tillgate/contract";
import { beforeAll, expect, it } from "vitest";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { consoleClient, createConsoleParties, dataOf, sessionTokenOf } from "./console-client.js";

const { sandbox, server, merchantId } = await createTestApi();

let user: string;
beforeAll(async () => {
  ({ user } = await createConsoleParties(sandbox));
});

/** The header of a PNG image of 16 × 16 pixels, in base64. */
const PICTURE = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
  Buffer.from("IHDR", "latin1"),
  Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 6, 0, 0, 0, 0, 0, 0, 0]),
]).toString("base64");

it("POST /profile and /branding set the notification addresses and the payment page's branding, with audit records", async () => {
  const edge = consoleClient(server, sessionTokenOf(user));
  const [profile, branding] = ["profile", "branding"].map((page) => `/merchants/${merchantId}/${page}`) as [
    string,
    string,
  ];
  const set = dataOf(
    consoleProfileResponseSchema,
    await edge.post(profile, { notice_email: "Ops@example.com" }),
  );
  expect(set).toMatchObject({ merchant_id: merchantId, notice_email: "ops@example.com", suspended: false });
  expect(errorOf(await edge.post(profile, { notice_email: "nobody" })).status).toBe(422);
  const mails = { approvals: ["Boss@example.com"], summary: [] };
  expect(dataOf(consoleProfileResponseSchema, await edge.post(profile, { mails }))).toMatchObject({
    notice_email: "ops@example.com",
    mails: { approvals: ["boss@example.com"], summary: [] },
  });
  const six = Array.from({ length: 6 }, (_, at) => `a${at}@example.com`);
  for (const approvals of [["nobody"], six])
    expect([400, 422]).toContain((await edge.post(profile, { mails: { approvals } })).status);
  const look = { name: "Café", accent: "#0B7A75", logo: PICTURE };
  const whole = { name: "Café", accent: "#0b7a75", logo: `data:image/png;base64,${PICTURE}` };
  expect(dataOf(consoleBrandingResponseSchema, await edge.post(branding, look))).toEqual(whole);
  const without = dataOf(consoleBrandingResponseSchema, await edge.post(branding, { logo: null }));
  expect(without).toEqual({ ...whole, logo: null });
  expect(dataOf(consoleBrandingResponseSchema, await edge.get(branding))).toEqual(without);
  expect(errorOf(await edge.post(branding, { logo: "AAAA" })).status).toBe(422);
  expect(errorOf(await edge.post(branding, { accent: "#redred" })).status).toBe(400);
  const records = await sandbox.database.prisma.auditRecord.findMany({
    where: { subject: merchantId, administratorId: user },
    orderBy: { id: "asc" },
  });
  expect(records.map(({ action }) => action)).toEqual([
    "merchant.notice_email",
    "merchant.mails",
    "merchant.brand",
    "merchant.brand",
  ]);
});

it("POST /branding accepts a logo of up to 128 KiB; its preview and POST /profile reject bodies above 64 KiB", async () => {
  const edge = consoleClient(server, sessionTokenOf(user));
  const branding = `/merchants/${merchantId}/branding`;
  const picture = (bytes: number) =>
    Buffer.concat([Buffer.from(PICTURE, "base64"), Buffer.alloc(bytes)])
      .subarray(0, bytes)
      .toString("base64");
  expect((await edge.post(branding, { logo: picture(MAX_LOGO_BYTES) })).status).toBe(200);
  expect((await edge.post(branding, { logo: picture(MAX_LOGO_BYTES + 3) })).status).toBe(400);
  expect((await edge.post(branding, { name: "x".repeat(MAX_LOGO_BODY_BYTES) })).status).toBe(413);
  for (const path of [`${branding}/preview`, `/merchants/${merchantId}/profile`])
    expect((await edge.post(path, { notice_email: "x".repeat(MAX_BODY_BYTES) })).status).toBe(413);
});

it("GET /branding/preview returns a colour as the payment page shows it, and stores nothing", async () => {
  const edge = consoleClient(server, sessionTokenOf(user));
  const preview = async (accent: string) => edge.get(`/merchants/${merchantId}/branding/preview`, { accent });
  const before = (await edge.get(`/merchants/${merchantId}/branding`)).body;
  const yellow = dataOf(consoleAccentPreviewResponseSchema, await preview("#FFE600"));
  expect(yellow.dark).toMatchObject({ color: "#ffe600", text: "#000000" });
  expect(yellow.light.own_contrast).toBeLessThan(yellow.least_contrast);
  expect(yellow.light.color).not.toBe("#ffe600");
  for (const { text_contrast } of [yellow.light, yellow.dark])
    expect(text_contrast).toBeGreaterThanOrEqual(4.5);
  for (const wrong of ["", "red", "#12345", "#1234567"]) expect((await preview(wrong)).status).toBe(400);
  expect((await edge.get(`/merchants/${merchantId}/branding`)).body).toEqual(before);
});
