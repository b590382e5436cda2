import { open } from "node:fs/promises";
import { MAX_LOGO_BYTES } from "@tillgate/contract";
import type { Command } from "commander";
import { z } from "zod";
import { getAccentShades, setBranding } from "../../checkout/branding.js";
import { invalidValue } from "../../errors.js";
import { addCommand, changeFields, merchant, option, resolveActor, type Session } from "../command.js";

/** `none` removes the value. */
const orNone = z
  .string()
  .transform((text) => (text === "none" ? null : text))
  .optional();

export function addBrandCommand(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "brand",
    summary: "Set a merchant's payment page branding",
    input: z.object({
      merchant,
      name: option("--name <text>", 'shown instead of the merchant\'s name, or "none"', orNone),
      accent: option(
        "--accent <#rrggbb>",
        'button colour, or "none"; adjusted for contrast on light and dark pages',
        orNone.clone(),
      ),
      logo: option("--logo <file>", 'PNG, JPEG or WebP of at most 128 KiB, or "none"', orNone.clone()),
      ...changeFields,
    }),
    examples: [
      '"Harbour Books" --accent "#0b7a75" --logo logo.png --by administrator@example.com',
      '"Harbour Books" --logo none --by administrator@example.com --dry-run',
    ],
    async run(context, input) {
      const { name, accent } = input;
      const {
        merchant: result,
        branding,
        changed,
      } = await setBranding(context, {
        ...(await resolveActor(context, input)),
        merchant: input.merchant,
        name,
        accent,
        logo: typeof input.logo === "string" ? await readBytes(input.logo) : input.logo,
      });
      const { logoId, logoType, logoWidth, logoHeight } = branding;
      return {
        message: changed ? `${result} has new branding.` : `${result} is unchanged.`,
        row: {
          name: branding.name,
          accent: branding.accent,
          ...toAccentRow(branding.accent),
          logo: logoId && `${logoType} ${logoWidth} × ${logoHeight}`,
          logo_id: logoId,
          changed,
        },
      };
    },
  });
}

function toAccentRow(accent: string | null): Record<string, string | null> {
  const shades = accent === null ? null : getAccentShades(accent);
  return { on_light: shades?.light.color ?? null, on_dark: shades?.dark.color ?? null };
}

/** Reads at most one byte more than a logo may have, which is enough to detect that the file is too large. */
async function readBytes(path: string): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(MAX_LOGO_BYTES + 1),
        0,
        MAX_LOGO_BYTES + 1,
        0,
      );
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw invalidValue(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
