import {
  type ConsoleAccentShade,
  type consoleAccentPreviewResponseSchema,
  PAGE_BACKGROUNDS,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { Button, Confirmation, Field, FileField, Form, useRedisplayed } from "./form";
import { Card } from "./parts";
import { usePage } from "./use-page";

/** The payment page's text colours, and its button colours if the merchant has chosen no colour. */
const INK = {
  light: { ink: "#17202e", soft: "#566275", line: "#d7dce4", color: "#2346c7", text: "#ffffff" },
  dark: { ink: "#edf0f5", soft: "#aab4c3", line: "#333e4e", color: "#9db2ff", text: "#0d1530" },
} as const;
const MAX_NAME = 24;

export type Brand = { name: string; logo: string | null };
type PreviewProps = Brand & {
  ground: keyof typeof INK;
  /** Shade of the brand colour; null for the page's default colour, which has enough contrast. */
  accent: ConsoleAccentShade | null;
  /** Minimum contrast with the page at which a colour is used unchanged. */
  least: number;
};

/** Previews the payment page in the colours computed by the API. SVG needs no style attribute, which the Content-Security-Policy forbids. */
function BrandPreview({ name, logo, ground, accent, least }: PreviewProps): ReactNode {
  const { t, f } = usePage();
  const colours = INK[ground];
  const { color, text } = accent ?? colours;
  // Cards are white on a light page, and lighter than the background on a dark one.
  const [first, second] = PAGE_BACKGROUNDS[ground];
  const [page, card] = ground === "light" ? [second, first] : [first, second];
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
  return (
    <figure className="brand-preview">
      <svg viewBox="0 0 320 240" role="img" aria-label={t(`settings.preview.${ground}`, { name })}>
        <rect width="320" height="240" rx="8" fill={page} />
        <rect x="24" y="16" width="272" height="208" rx="10" fill={card} stroke={colours.line} />
        {logo ? (
          <image
            href={logo}
            x="40"
            y="30"
            width="240"
            height="36"
            preserveAspectRatio="xMidYMid meet"
            data-logo=""
          />
        ) : null}
        <text
          x="160"
          y={logo ? 88 : 64}
          textAnchor="middle"
          fontSize="15"
          fontWeight="600"
          fill={colours.ink}
        >
          {shown}
        </text>
        <text x="160" y="124" textAnchor="middle" fontSize="26" fontWeight="700" fill={colours.ink}>
          {f.money({ amount: "24.90", currency: "EUR" })}
        </text>
        <text x="160" y="146" textAnchor="middle" fontSize="12" fill={colours.soft}>
          {t("settings.preview.order")}
        </text>
        <rect x="40" y="164" width="240" height="40" rx="8" fill={color} />
        <text x="160" y="189" textAnchor="middle" fontSize="15" fontWeight="600" fill={text}>
          {t("settings.preview.pay")}
        </text>
      </svg>
      <figcaption>
        <strong>{t(`settings.ground.${ground}`)}</strong>{" "}
        {accent ? <Contrast accent={accent} least={least} /> : null}
      </figcaption>
    </figure>
  );
}

/** Renders contrast ratios. WCAG requires 4.5:1 for text and 3:1 for a button against its page. */
function Contrast({ accent, least }: { accent: ConsoleAccentShade; least: number }): ReactNode {
  const { t, f } = usePage();
  const formatRatio = (contrast: number) => f.number(Math.floor(contrast * 10) / 10);
  return (
    <span className="soft">
      {t("settings.contrast.text", { ratio: formatRatio(accent.text_contrast) })}{" "}
      {accent.own_contrast < least
        ? t("settings.contrast.shifted", { ratio: formatRatio(accent.own_contrast), color: accent.color })
        : t("settings.contrast.fits", { ratio: formatRatio(accent.own_contrast) })}
    </span>
  );
}

type Props = {
  brand: { name: string; accent: string; hasLogo: boolean; tried: boolean };
  preview: z.infer<typeof consoleAccentPreviewResponseSchema>["data"] | null;
  /** Merchant's name, shown if the brand has no name. */
  merchantName: string;
  merchantId: string;
  changes: boolean;
};

export function BrandSettings({ brand, preview, merchantName, merchantId, changes }: Props): ReactNode {
  const { t } = usePage();
  const name = brand.name || merchantName;
  const logo = brand.hasLogo ? `/api/logos/${merchantId}` : null;
  return (
    <Card id="brand" title={t("settings.brand")}>
      <div className="columns">
        {changes ? <BrandForms brand={brand} merchantName={merchantName} /> : null}
        <div data-preview="" aria-live="polite">
          {brand.tried ? <p className="box note">{t("settings.previewed")}</p> : null}
          <div className="previews">
            {(["light", "dark"] as const).map((ground) => (
              <BrandPreview
                key={ground}
                ground={ground}
                name={name}
                logo={logo}
                accent={preview?.[ground] ?? null}
                least={preview?.least_contrast ?? 0}
              />
            ))}
          </div>
        </div>
      </div>
    </Card>
  );
}

function BrandForms({ brand, merchantName }: Pick<Props, "brand" | "merchantName">): ReactNode {
  const { t } = usePage();
  const changingLogo = useRedisplayed(["logo"]);
  return (
    <div>
      <Form action="brand" preview>
        <Field
          name="name"
          label={t("settings.brandName")}
          hint={t("settings.brandNameHint", { name: merchantName })}
          value={brand.name}
          optional
        />
        <Field
          name="accent"
          label={t("settings.accent")}
          hint={t("settings.accentHint")}
          value={brand.accent}
          optional
          picksColour
        />
        <div className="tools">
          <Button name="step" value="save" testId="save-brand">
            {t("form.save")}
          </Button>
          <Button kind="quiet" name="step" value="try" testId="try-brand">
            {t("settings.try")}
          </Button>
        </div>
      </Form>
      <div className="tools">
        <Confirmation
          label={t(brand.hasLogo ? "settings.changeLogo" : "settings.addLogo")}
          open={changingLogo}
          testId="change-logo"
        >
          <Form action="logo" files>
            <FileField
              name="file"
              label={t("settings.logo")}
              hint={t("settings.logoHint")}
              accept="image/png,image/jpeg,image/webp"
            />
            <Button testId="save-logo">{t("form.save")}</Button>
          </Form>
        </Confirmation>
        {brand.hasLogo ? (
          <Form action="remove-logo" className="inline">
            <Button kind="quiet">{t("settings.removeLogo")}</Button>
          </Form>
        ) : null}
      </div>
    </div>
  );
}
