import type { Mode } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Button, Form, TextArea } from "./form";
import { Card, Facts } from "./parts";
import { usePage } from "./use-page";

type Props = { origins: readonly string[]; mode: Mode; changes: boolean };

/** The shop's origins whose pages may show payments of this mode in a frame. */
export function EmbedSettings({ origins, mode, changes }: Props): ReactNode {
  const { t } = usePage();
  return (
    <Card id="embed" title={t("settings.embed")}>
      <p className="soft">{t("settings.embedExplanation")}</p>
      {changes ? (
        <Form action="origins">
          <TextArea
            name="origins"
            rows={3}
            label={t(`settings.origins.${mode}`)}
            hint={t(`settings.originsHint.${mode}`)}
            value={origins.join("\n")}
            optional
          />
          <div className="tools">
            <Button testId="save-origins">{t("form.save")}</Button>
          </div>
        </Form>
      ) : (
        <Facts rows={[[t(`settings.origins.${mode}`), origins.join(", ") || t("settings.originsNone")]]} />
      )}
    </Card>
  );
}
