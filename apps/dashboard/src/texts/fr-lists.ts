import type { enLists } from "./en-lists";

/** The same in French. */
export const frLists: Record<keyof typeof enLists, string> = {
  "columns.choose": "Colonnes",
  "columns.show": "Afficher ces colonnes",
  "export.shown": "Exporter la vue :",
  "export.all": "Avec toutes les colonnes :",
  "export.progress": "{rows} lignes sur {total}…",
  "export.done": "Lignes enregistrées : {rows}.",
  "export.broken": "L’export s’est interrompu. Rien n’a été enregistré ; veuillez réessayer.",
  "export.cancelled": "Annulé. Rien n’a été enregistré.",
  "export.busy": "Un autre export est en cours. Veuillez réessayer dans un instant.",
  "export.cancel": "Annuler",
};
