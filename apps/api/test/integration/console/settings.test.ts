import { consoleBrandingAnswerSchema, consoleProfileAnswerSchema } from "@tillgate/contract";
import { expect, it } from "vitest";
import { told } from "../../support/requests.js";
import { sceneOfFile } from "../../support/scene.js";
import { consoleParties, dataOf, edgeOf, sessionOf } from "./console-api.js";

const { sandbox, server, merchantId } = await sceneOfFile();

/** A PNG of 16 × 16 pixels, as far as its header says. */
const PICTURE = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
  Buffer.from("IHDR", "latin1"),
  Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 6, 0, 0, 0, 0, 0, 0, 0]),
]).toString("base64");

it("an owner sets where notices go and how the payment page looks, on record", async () => {
  const { user } = await consoleParties(sandbox);
  const edge = edgeOf(server, sessionOf(user));
  const [profile, branding] = ["profile", "branding"].map((page) => `/merchants/${merchantId}/${page}`) as [
    string,
    string,
  ];
  const set = dataOf(
    consoleProfileAnswerSchema,
    await edge.post(profile, { notice_email: "Ops@example.com" }),
  );
  expect(set).toMatchObject({ merchant_id: merchantId, notice_email: "ops@example.com", suspended: false });
  expect(told(await edge.post(profile, { notice_email: "nobody" })).status).toBe(422);
  const look = { name: "Café", accent: "#0B7A75", logo: PICTURE };
  const whole = { name: "Café", accent: "#0b7a75", logo: `data:image/png;base64,${PICTURE}` };
  expect(dataOf(consoleBrandingAnswerSchema, await edge.post(branding, look))).toEqual(whole);
  const without = dataOf(consoleBrandingAnswerSchema, await edge.post(branding, { logo: null }));
  expect(without).toEqual({ ...whole, logo: null });
  expect(dataOf(consoleBrandingAnswerSchema, await edge.get(branding))).toEqual(without);
  expect(told(await edge.post(branding, { logo: "AAAA", accent: "#red" })).status).toBe(422);
  const records = await sandbox.database.prisma.auditRecord.findMany({
    where: { subject: merchantId, administratorId: user },
    orderBy: { id: "asc" },
  });
  expect(records.map(({ action }) => action)).toEqual([
    "merchant.notice_email",
    "merchant.brand",
    "merchant.brand",
  ]);
});
