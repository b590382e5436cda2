import { createHash } from "node:crypto";
import {
  type AccentShade,
  type CheckoutAccent,
  ErrorCode,
  isDisplayable,
  type LogoType,
  MAX_LOGO_BYTES,
  PAGE_BACKGROUNDS,
} from "@tillgate/contract";
import type { MerchantBrandingModel } from "@tillgate/database";
import { converter, formatHex, toGamut, wcagContrast } from "culori";
import { LRUCache } from "lru-cache";
import type { Change } from "../audit/administrator.js";
import { changeWithAudit, recordChange } from "../audit/change.js";
import type { Context } from "../context.js";
import { invalidValue, OperationError } from "../errors.js";
import { findMerchant } from "../identity/merchants.js";

const readAscii = (bytes: Buffer, start: number, end: number): string => bytes.toString("latin1", start, end);

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads a PNG's size from its header chunk, which always comes first. */
const readPng = (bytes: Buffer): Picture | null =>
  bytes.length >= 33 && bytes.subarray(0, 8).equals(PNG_SIGNATURE) && readAscii(bytes, 12, 16) === "IHDR"
    ? { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : null;

/** Returns whether a JPEG marker starts a frame. The markers DHT, JPG and DAC are in the same range but do not start a frame. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Recognizes PNG, JPEG and WebP by their bytes. @returns null for anything else, including SVG, which can contain scripts. */
export const readPicture = (bytes: Buffer): Picture | null =>
  readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);

export const MAX_BRAND_NAME_LENGTH = 60;
export const MIN_LOGO_PIXELS = 16;
export const MAX_LOGO_PIXELS = 1_024;

/** Null removes a value; undefined leaves it unchanged. */
export type Branding = {
  /** Shown instead of the merchant's name. */
  name?: string | null | undefined;
  /** `#rrggbb`. */
  accent?: string | null | undefined;
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

function readName(name: string | null): Pick<Fields, "name"> {
  const trimmed = name?.trim() ?? null;
  if (
    trimmed !== null &&
    (trimmed === "" || trimmed.length > MAX_BRAND_NAME_LENGTH || !isDisplayable(trimmed))
  )
    throw invalidValue(
      `A brand's name must have 1 to ${MAX_BRAND_NAME_LENGTH} characters, without control or text-direction characters.`,
    );
  return { name: trimmed };
}

function readAccent(accent: string | null): Pick<Fields, "accent"> {
  if (accent === null) return { accent };
  const color = accent.trim().toLowerCase();
  if (!/^#[0-9a-f]{6}$/.test(color))
    throw invalidValue("An accent colour must have the format #rrggbb, such as #0b7a75.");
  return { accent: color };
}

function readLogo(logo: Buffer | null): Omit<Fields, "name" | "accent"> {
  if (logo === null) return { logo, logoId: null, logoType: null, logoWidth: null, logoHeight: null };
  if (logo.length > MAX_LOGO_BYTES)
    throw invalidValue(`A logo must not be larger than ${MAX_LOGO_BYTES / 1024} KiB.`);
  const picture = readPicture(logo);
  if (!picture) throw invalidValue("A logo must be a PNG, JPEG or WebP image.");
  const { type, width, height } = picture;
  if (Math.min(width, height) < MIN_LOGO_PIXELS || Math.max(width, height) > MAX_LOGO_PIXELS)
    throw invalidValue(
      `A logo must be ${MIN_LOGO_PIXELS} to ${MAX_LOGO_PIXELS} pixels wide and high; this one is ${width} × ${height}.`,
    );
  return {
    logo: new Uint8Array(logo),
    logoId: createHash("sha256").update(logo).digest("hex"),
    logoType: type,
    logoWidth: width,
    logoHeight: height,
  };
}

const toDetails = ({ name, accent, logoId }: Fields, when: "before" | "after") => ({
  [`name_${when}`]: name,
  [`accent_${when}`]: accent,
  [`logo_${when}`]: logoId,
});

/** Reads a merchant's branding. Every field is null if the merchant has none. */
export const readBranding = async ({ database: { prisma } }: Context, merchantId: string): Promise<Fields> =>
  (await prisma.merchantBranding.findUnique({ where: { merchantId } })) ?? NONE;

/** Sets a merchant's branding, with an audit record if it changes. @throws OperationError SubjectNotFound, InvalidValue. */
export async function setBranding(
  context: Context,
  input: Change & { merchant: string } & Branding,
): Promise<BrandingChange> {
  const change: Partial<Fields> = {
    ...(input.name === undefined ? {} : readName(input.name)),
    ...(input.accent === undefined ? {} : readAccent(input.accent)),
    ...(input.logo === undefined ? {} : readLogo(input.logo)),
  };
  const { id, name: merchant } = await findMerchant(context, input.merchant);
  return changeWithAudit(context, input, async (tx) => {
    await tx.$queryRaw`SELECT id FROM merchants WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const stored = await tx.merchantBranding.findUnique({ where: { merchantId: id } });
    const { merchantId: _, ...before } = stored ?? { merchantId: id, ...NONE };
    const branding = { ...before, ...change };
    const same = (["name", "accent", "logoId"] as const).every((field) => before[field] === branding[field]);
    if (same) return { merchant, branding, changed: false };
    await tx.merchantBranding.upsert({
      where: { merchantId: id },
      create: { merchantId: id, ...branding },
      update: change,
    });
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: id,
      action: "merchant.brand",
      subject: id,
      details: { ...toDetails(before, "before"), ...toDetails(branding, "after") },
    });
    return { merchant, branding, changed: true };
  });
}

/** WCAG 2: minimum contrast of text, and of a button or line against its background. */
export const TEXT_CONTRAST = 4.5;
export const SHAPE_CONTRAST = 3;

const WHITE = "#ffffff";
const BLACK = "#000000";

const toOklch = converter("oklch");
/** Returns the nearest displayable colour, as defined in CSS Color 4. */
const inGamut = toGamut("rgb", "oklch");
/** Bisection steps. 12 steps are more precise than the 256 levels of a colour channel. */
const HALVINGS = 12;

/** Returns the WCAG contrast ratio of two `#rrggbb` colours, from 1 to 21. */
export const contrastRatio = (first: string, second: string): number => wcagContrast(first, second);

/** Returns white or black, whichever contrasts more with the accent. The contrast always exceeds {@link TEXT_CONTRAST}. */
export const pickTextColor = (accent: string): string =>
  contrastRatio(accent, WHITE) >= contrastRatio(accent, BLACK) ? WHITE : BLACK;

type Ground = keyof typeof PAGE_BACKGROUNDS;

const isReadable = (colour: string, ground: Ground): boolean =>
  PAGE_BACKGROUNDS[ground].every((page) => contrastRatio(colour, page) >= SHAPE_CONTRAST);

/** Returns the accent if it is readable on this background. Otherwise, returns the nearest readable shade: darker on light, lighter on dark. */
function findShade(accent: string, ground: Ground): AccentShade {
  if (isReadable(accent, ground)) return { color: accent, text: pickTextColor(accent) };
  const colour = toOklch(accent);
  if (colour === undefined) throw new Error(`${accent} is not a colour`);
  const shade = (lightness: number) => formatHex(inGamut({ ...colour, l: lightness })) ?? accent;
  let [works, fails] = [ground === "light" ? 0 : 1, colour.l];
  for (let step = 0; step < HALVINGS; step += 1) {
    const lightness = (works + fails) / 2;
    if (isReadable(shade(lightness), ground)) works = lightness;
    else fails = lightness;
  }
  const color = shade(works);
  return { color, text: pickTextColor(color) };
}

/** Caches the shades of each accent, because finding them takes a search. */
const shades = new LRUCache<string, CheckoutAccent>({
  max: 1_000,
  memoMethod: (accent) => ({ light: findShade(accent, "light"), dark: findShade(accent, "dark") }),
});

export const getAccentShades = (accent: string): CheckoutAccent => shades.memo(accent);

export type ShownAccent = AccentShade & {
  textContrast: number;
  /** Contrast of the merchant's colour with the page. If it is below {@link SHAPE_CONTRAST}, another shade is displayed. */
  ownContrast: number;
};

export function previewAccent(accent: string): Record<Ground, ShownAccent> {
  const adjusted = getAccentShades(accent);
  const onGround = (ground: Ground): ShownAccent => ({
    ...adjusted[ground],
    textContrast: contrastRatio(adjusted[ground].color, adjusted[ground].text),
    ownContrast: Math.min(...PAGE_BACKGROUNDS[ground].map((page) => contrastRatio(accent, page))),
  });
  return { light: onGround("light"), dark: onGround("dark") };
}

/** @param id SHA-256 of the logo's bytes, in hex. @throws OperationError LogoNotFound. */
export async function findLogo(
  { database: { prisma } }: Context,
  id: string,
): Promise<{ bytes: Uint8Array; type: string }> {
  const row = await prisma.merchantBranding.findFirst({
    where: { logoId: id },
    select: { logo: true, logoType: true },
  });
  if (!row?.logo || row.logoType === null) throw new OperationError(ErrorCode.LogoNotFound);
  return { bytes: row.logo, type: row.logoType };
}

export type Picture = { type: LogoType; width: number; height: number };

/** Reads a JPEG's size from its frame header, which other segments may precede. */
function readJpeg(bytes: Buffer): Picture | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker))
      return { type: "image/jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return null;
}

/** Reads a WebP picture's size, in any of the three formats: lossy, lossless or extended. */
function readWebp(bytes: Buffer): Picture | null {
  if (bytes.length < 30 || readAscii(bytes, 0, 4) !== "RIFF" || readAscii(bytes, 8, 12) !== "WEBP")
    return null;
  const type = "image/webp";
  switch (readAscii(bytes, 12, 16)) {
    case "VP8 ":
      return bytes.readUIntBE(23, 3) === 0x9d012a
        ? { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
        : null;
    case "VP8L": {
      if (bytes[20] !== 0x2f) return null;
      const packed = bytes.readUInt32LE(21);
      return { type, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
