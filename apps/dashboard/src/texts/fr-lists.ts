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
  "view.views": "Vues enregistrées",
  "view.save": "Enregistrer cette vue",
  "view.saved": "La vue est enregistrée. Vous seul la voyez.",
  "view.name": "Nom de la vue",
  "view.nameHint": "Elle garde ces filtres, ces colonnes et ce tri. Vous seul la voyez.",
  "view.change": "Modifier cette vue",
  "view.rename": "Renommer",
  "view.remove": "Supprimer cette vue",
  "view.removed": "La vue est supprimée.",
  "refusal.view_not_found": "Cette vue n’existe plus.",
  "refusal.view_name_taken": "Vous avez une autre vue de ce nom.",
  "refusal.too_many_views":
    "Vous avez déjà le nombre maximal de vues de cette liste. Supprimez-en une d’abord.",
  "filter.sort": "Trier par",
  "filterName.sort": "tri",
  "sort.newest": "Les plus récents d’abord",
  "sort.oldest": "Les plus anciens d’abord",
  "sort.largest": "Les plus gros montants d’abord",
  "sort.smallest": "Les plus petits montants d’abord",
  "list.before": "Précédent",
  "list.behind": "Suivant",
  "list.partialSorted":
    "Seuls les {rows, number} plus récents sont triés par montant. Choisissez des jours sous « Plus de filtres » pour trier les plus anciens.",
};
