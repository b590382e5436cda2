import type { consoleAccentPreviewAnswerSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { BrandPreview } from "./brand-preview";
import { Button, Confirmation, Field, FileField, Form, useRefused } from "./form";
import { Card } from "./parts";
import { usePage } from "./use-page";

type Props = {
  brand: { name: string; accent: string; hasLogo: boolean; tried: boolean };
  preview: z.infer<typeof consoleAccentPreviewAnswerSchema>["data"] | null;
  /** Shown where the brand has no name of its own. */
  merchantName: string;
  merchantId: string;
  changes: boolean;
};

/** How the payment page looks, beside a preview of it that follows what is typed. */
export function BrandSettings({ brand, preview, merchantName, merchantId, changes }: Props): ReactNode {
  const { t } = usePage();
  const name = brand.name || merchantName;
  const logo = brand.hasLogo ? `/api/logos/${merchantId}` : null;
  return (
    <Card id="brand" title={t("settings.brand")}>
      <div className="columns">
        {changes ? <BrandForms brand={brand} merchantName={merchantName} /> : null}
        <div data-preview="" aria-live="polite">
          {brand.tried ? <p className="box note">{t("settings.tried")}</p> : null}
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
  const changingLogo = useRefused(["logo"]);
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
