import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { showEmbed } from "#steps/embed.ts";
import { type EmbedProps, EmbedView } from "#views/embed.tsx";

export const config = { unstable_runtimeJS: false };

export default function EmbedPage(props: EmbedProps): ReactNode {
  return <EmbedView {...props} />;
}

export const getServerSideProps: GetServerSideProps<EmbedProps> = async (context) => ({
  props: await showEmbed(context),
});
