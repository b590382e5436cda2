import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { CHECKOUT_PATH } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiProcess, INTERNAL_KEY } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { type PayApi, payApi } from "../../support/requests.js";
import { type AdminCli, expectNoChanges, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let server: ApiProcess;
let api: PayApi;
let folder: string;
let by: string[];
let name: string;

beforeAll(async () => {
  admin = await openAdminCli();
  by = ["--by", admin.first];
  server = await admin.sandbox.startApi();
  api = payApi(server, admin.sandbox.access.other_merchant);
  name = admin.sandbox.access.other_merchant.name;
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-logos-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await admin.close();
});

/** Writes a file of `bytes` bytes: a PNG header, then zeros. @returns the file's path */
async function picture(file: string, { width = 64, height = 64, bytes = 100 } = {}): Promise<string> {
  const content = Buffer.alloc(bytes);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(content);
  content.writeUInt32BE(width, 16);
  content.writeUInt32BE(height, 20);
  const target = path.join(folder, file);
  await writeFile(target, content);
  return target;
}
const runBrand = (...words: string[]) => admin.runJson("merchants", "brand", name, ...words, ...by);
const runRejectedBrand = (...words: string[]) =>
  expectNoChanges(admin, () => admin.runRejected("merchants", "brand", name, ...words, ...by));
const viewBranding = async () =>
  (await openPage(server, paymentTokenOf(await createOrder(api))).view()).merchant;
const logo = (id: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${CHECKOUT_PATH}/logos/${id}`, {
    headers: { "x-tillgate-internal-key": INTERNAL_KEY, ...headers },
  });

describe("admin merchants brand", () => {
  it("sets and resets the name, colour and logo, shows them on the payment page, and audits each change", async () => {
    const file = await picture("logo.png");
    expect(await runBrand("--name", " Le Marché ", "--accent", "#2563EB")).toMatchObject({
      ...{ name: "Le Marché", accent: "#2563eb", logo: null, changed: true },
    });
    const set = await runBrand("--logo", file);
    expect(set).toMatchObject({ name: "Le Marché", logo: "image/png 64 × 64", changed: true });
    expect((await admin.auditRecords()).at(-1)).toMatchObject({
      action: "merchant.brand",
      details: expect.objectContaining({ logo_before: null, logo_after: set.logo_id }),
    });
    expect(await viewBranding()).toEqual({
      name: "Le Marché",
      accent: {
        light: { color: "#2563eb", text: "#ffffff" },
        dark: { color: "#2563eb", text: "#ffffff" },
      },
      logo: { id: set.logo_id, type: "image/png", width: 64, height: 64 },
    });
    expect(await expectNoChanges(admin, () => runBrand("--logo", file))).toMatchObject({ changed: false });
    await runBrand("--name", "none", "--accent", "none", "--logo", "none");
    expect(await viewBranding()).toEqual({ name, accent: null, logo: null });
    expect((await admin.auditRecords()).filter(({ action }) => action === "merchant.brand")).toHaveLength(3);
  });

  it("prints the result with --dry-run and writes nothing", async () => {
    const dry = await expectNoChanges(admin, () => runBrand("--accent", "#c2410c", "--dry-run"));
    expect(dry).toMatchObject({ accent: "#c2410c", changed: true });
    expect((await viewBranding()).accent).toBeNull();
  });

  it("stores a colour unchanged even if it is too light for the light theme, and adjusts it only in that theme", async () => {
    const yellow = await runBrand("--accent", "#ffe000");
    expect(yellow).toMatchObject({ accent: "#ffe000", on_dark: "#ffe000", changed: true });
    const { accent: shades } = await viewBranding();
    expect(shades?.dark).toEqual({ color: "#ffe000", text: "#000000" });
    expect(shades?.light.color).toBe(yellow.on_light);
    expect(shades?.light.color).not.toBe("#ffe000");
    expect((await admin.auditRecords()).at(-1)).toMatchObject({
      details: expect.objectContaining({ accent_after: "#ffe000" }),
    });
    await runBrand("--accent", "none");
  });

  it("rejects a colour that is not #rrggbb", async () => {
    for (const accent of ["red", "#fff", "#12345g", "0b7a75"])
      expect((await runRejectedBrand("--accent", accent)).message).toContain("#rrggbb");
  });

  it("accepts names of 1 to 60 characters and rejects control characters", async () => {
    for (const text of [" ", "x".repeat(61), "a\u0007b"])
      expect((await runRejectedBrand("--name", text)).code).toBe("invalid_value");
    for (const text of ["x", "x".repeat(60)])
      expect(await runBrand("--name", text)).toMatchObject({ changed: true });
  });

  it("detects the logo's type from its bytes, not its name, and limits its dimensions and size", async () => {
    const svg = path.join(folder, "svg.png");
    await writeFile(svg, '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>');
    expect((await runRejectedBrand("--logo", svg)).message).toContain("PNG, JPEG or WebP");
    expect((await runRejectedBrand("--logo", path.join(folder, "missing.png"))).message).toContain(
      "cannot be read",
    );
    const sizes = [{ width: 15 }, { height: 15 }, { width: 1_025 }, { height: 1_025 }];
    for (const size of sizes)
      expect((await runRejectedBrand("--logo", await picture("size.png", size))).message).toContain(
        "16 to 1024 pixels",
      );
    expect(
      (await runRejectedBrand("--logo", await picture("heavy.png", { bytes: 131_073 }))).message,
    ).toContain("128 KiB");
    for (const size of [
      { width: 16, height: 1_024 },
      { width: 1_024, height: 16, bytes: 131_072 },
    ])
      expect(await runBrand("--logo", await picture("png.svg", size))).toMatchObject({
        changed: true,
        logo: `image/png ${size.width} × ${size.height}`,
      });
  });
});

describe("GET /logos/{id}", () => {
  it("returns the logo with that SHA-256 hash, cacheable for a year, and 304 if the ETag matches", async () => {
    const { logo_id } = await runBrand("--logo", await picture("kept.png", { width: 40 }));
    const response = await logo(String(logo_id));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      etag: `"${String(logo_id)}"`,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(logo_id);
    for (const etag of [`"${String(logo_id)}"`, `"other", W/"${String(logo_id)}"`, "*"])
      expect((await logo(String(logo_id), { "if-none-match": etag })).status).toBe(304);
    expect((await logo(String(logo_id), { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("returns 404 for an unknown ID or a wrong internal key", async () => {
    const { logo_id } = await runBrand("--logo", await picture("mine.png", { width: 41 }));
    for (const id of ["0".repeat(64), "x", "%00", String(logo_id).toUpperCase()])
      expect((await logo(id)).status).toBe(404);
    expect((await logo(String(logo_id), { "x-tillgate-internal-key": "wrong" })).status).toBe(404);
  });
});
