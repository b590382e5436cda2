import type { ReactNode } from "react";
import { localPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { choiceField } from "#server/forms.ts";
import { languageSchema } from "#texts/languages.ts";
import { Frame } from "#views/frame.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

/** Renders the target page of the language switch in the footer. */
export default function LanguagePage(): ReactNode {
  const { t } = usePage();
  return (
    <Frame title={t("frame.language")} narrow>
      <p>{t("language.below")}</p>
    </Frame>
  );
}

export const getServerSideProps = consolePage({
  open: true,
  load: async () => ({}),
  actions: {
    choose: async ({ query }, form) => ({
      to: localPath(query("next")) ?? "/",
      language: choiceField(form, "language", languageSchema),
    }),
  },
});
