import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { toLegalAddresses } from "#http/page-locale.ts";
import { receiveEmbedForm } from "#steps/embed.ts";
import { resolveLocale } from "#texts/languages.ts";
import { type EmbedProps, EmbedView } from "#views/embed.tsx";

export const config = { unstable_runtimeJS: false };

/** Renders the error page for an invalid submission of a test button. Every other submission redirects to the frame. */
export default function EmbedStepPage(props: EmbedProps): ReactNode {
  return <EmbedView {...props} />;
}

export const getServerSideProps: GetServerSideProps<EmbedProps> = async (context) => {
  const result = await receiveEmbedForm(context);
  if (typeof result === "string") return { redirect: { destination: result, statusCode: 303 } };
  const locale = resolveLocale({ header: context.req.headers["accept-language"] });
  return { props: { screen: result, locale, address: null, legal: toLegalAddresses(settings()) } };
};
