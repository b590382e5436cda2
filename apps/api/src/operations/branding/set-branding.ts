import { createHash } from "node:crypto";
import { isDisplayable, MAX_LOGO_BYTES } from "@tillgate/contract";
import type { MerchantBrandingModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { invalidValue } from "../../operation-error.js";
import type { Change } from "../administration/administrator.js";
import { change, recordChange } from "../administration/change.js";
import { findMerchant } from "../administration/find-merchant.js";
import { readPicture } from "./read-picture.js";

export const MAX_BRAND_NAME_LENGTH = 60;
export const MIN_LOGO_PIXELS = 16;
export const MAX_LOGO_PIXELS = 1_024;

/** The parts of a merchant's branding. Null removes a part, undefined leaves it. */
export type Branding = {
  /** Shown instead of the merchant's name. */
  name?: string | null | undefined;
  /** `#rrggbb`. */
  accent?: string | null | undefined;
  /** The file's bytes: PNG, JPEG or WebP. */
  logo?: Buffer | null | undefined;
};

type Fields = Omit<MerchantBrandingModel, "merchantId">;
export type BrandingChange = { merchant: string; branding: Fields; changed: boolean };

const NONE: Fields = {
  name: null,
  accent: null,
  logoId: null,
  logoType: null,
  logoWidth: null,
  logoHeight: null,
  logo: null,
};

/** @throws OperationError InvalidValue. */
function readName(name: string | null): Pick<Fields, "name"> {
  const trimmed = name?.trim() ?? null;
  if (
    trimmed !== null &&
    (trimmed === "" || trimmed.length > MAX_BRAND_NAME_LENGTH || !isDisplayable(trimmed))
  )
    throw invalidValue(
      `A brand's name has 1 to ${MAX_BRAND_NAME_LENGTH} characters, none of them a control or text-direction character.`,
    );
  return { name: trimmed };
}

/** Any colour can be used: where it does not show, the page shifts it (accent.ts). @throws OperationError InvalidValue. */
function readAccent(accent: string | null): Pick<Fields, "accent"> {
  if (accent === null) return { accent };
  const color = accent.trim().toLowerCase();
  if (!/^#[0-9a-f]{6}$/.test(color))
    throw invalidValue("An accent colour is written #rrggbb, such as #0b7a75.");
  return { accent: color };
}

/** @throws OperationError InvalidValue. */
function readLogo(logo: Buffer | null): Omit<Fields, "name" | "accent"> {
  if (logo === null) return { logo, logoId: null, logoType: null, logoWidth: null, logoHeight: null };
  if (logo.length > MAX_LOGO_BYTES) throw invalidValue(`A logo has at most ${MAX_LOGO_BYTES / 1024} KiB.`);
  const picture = readPicture(logo);
  if (!picture) throw invalidValue("A logo is a PNG, JPEG or WebP picture.");
  const { type, width, height } = picture;
  if (Math.min(width, height) < MIN_LOGO_PIXELS || Math.max(width, height) > MAX_LOGO_PIXELS)
    throw invalidValue(
      `A logo is ${MIN_LOGO_PIXELS} to ${MAX_LOGO_PIXELS} pixels wide and high; this one is ${width} × ${height}.`,
    );
  return {
    logo: new Uint8Array(logo),
    logoId: createHash("sha256").update(logo).digest("hex"),
    logoType: type,
    logoWidth: width,
    logoHeight: height,
  };
}

/** The entry of the audit record: the picture's hash, never the picture. */
const details = ({ name, accent, logoId }: Fields, when: "before" | "after") => ({
  [`name_${when}`]: name,
  [`accent_${when}`]: accent,
  [`logo_${when}`]: logoId,
});

/** How a merchant looks on the payment page. */
export const readBranding = async ({ database: { prisma } }: Context, merchantId: string): Promise<Fields> =>
  (await prisma.merchantBranding.findUnique({ where: { merchantId } })) ?? NONE;

/**
 * Sets how a merchant looks on the payment page, with its audit record.
 * @throws OperationError NotFound, InvalidValue.
 */
export async function setBranding(
  context: Context,
  input: Change & { merchant: string } & Branding,
): Promise<BrandingChange> {
  const wanted: Partial<Fields> = {
    ...(input.name === undefined ? {} : readName(input.name)),
    ...(input.accent === undefined ? {} : readAccent(input.accent)),
    ...(input.logo === undefined ? {} : readLogo(input.logo)),
  };
  const { id, name: merchant } = await findMerchant(context, input.merchant);
  return change(context, input, async (tx) => {
    await tx.$queryRaw`SELECT id FROM merchants WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const found = await tx.merchantBranding.findUnique({ where: { merchantId: id } });
    const { merchantId: _, ...before } = found ?? { merchantId: id, ...NONE };
    const branding = { ...before, ...wanted };
    const same = (["name", "accent", "logoId"] as const).every((field) => before[field] === branding[field]);
    if (same) return { merchant, branding, changed: false };
    await tx.merchantBranding.upsert({
      where: { merchantId: id },
      create: { merchantId: id, ...branding },
      update: wanted,
    });
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: id,
      action: "merchant.brand",
      subject: id,
      details: { ...details(before, "before"), ...details(branding, "after") },
    });
    return { merchant, branding, changed: true };
  });
}
