import type { errors as english } from "#texts/en/errors.ts";

export const errors: Readonly<Record<keyof typeof english, string>> = {
  "error.required": "Ce champ est obligatoire.",
  "error.field": "Cette valeur n’est pas acceptée.",
  "error.amount": "Saisissez un montant tel que {example}.",
  "error.ambiguousAmount":
    "« {typed} » peut signifier {small} ou {large}. Saisissez {smallSpelling, select, none {} other {{smallSpelling} ou }}{largeSpelling}.",
  "error.choose": "Veuillez choisir une option.",
  "error.formExpired":
    "Cette page est restée ouverte trop longtemps, ou une nouvelle connexion a eu lieu dans une autre fenêtre. Veuillez renvoyer le formulaire.",
  "error.shopAddress": "Saisissez l’URL de la boutique, par exemple https://boutique.example.",
  "error.origin": "Saisissez des origines commençant par https:// ou http://, une par ligne.",
  "error.liveOrigin":
    "Saisissez des origines commençant par https://, une par ligne. Les paiements réels exigent HTTPS.",
  "error.tooManyOrigins": "Vous pouvez saisir jusqu’à 20 origines.",
  "error.tooManyAddresses": "Vous pouvez saisir jusqu’à cinq adresses.",
  "error.colour": "Saisissez la couleur avec # et six chiffres, par exemple #0b7a75.",
  "error.logoTooLarge": "L’image dépasse 128 Kio. Utilisez une image plus petite.",
  "error.logo": "Utilisez une image PNG, JPEG ou WebP de 16 à 1 024 pixels de large et de haut.",
  "error.email": "Saisissez une adresse e-mail valide.",
  "error.time": "Saisissez une date et une heure.",
  "error.laterThanFrom": "La fin doit être postérieure au début.",
  "error.number": "Saisissez un nombre entier.",
  "error.phoneOrEmail": "Saisissez un numéro de téléphone ou une adresse e-mail.",
  "apiError.order_not_found": "Commande introuvable. Vérifiez l’identifiant et le mode.",
  "apiError.refund_not_found": "Remboursement introuvable. Vérifiez l’identifiant et le mode.",
  "apiError.payout_not_found": "Versement introuvable. Vérifiez l’identifiant et le mode.",
  "apiError.transaction_not_found": "Paiement introuvable. Vérifiez l’identifiant et le mode.",
  "apiError.only_pending_can_be_cancelled":
    "Cette commande est déjà payée, annulée ou expirée et ne peut donc plus être annulée. Si elle a été payée, remboursez-la.",
  "apiError.order_expired": "Cette commande a expiré.",
  "apiError.order_cancelled": "Cette commande a déjà été annulée.",
  "apiError.order_already_paid": "Cette commande a déjà été payée.",
  "apiError.refund_exceeds_payment": "Le montant dépasse ce qui peut encore être remboursé.",
  "apiError.transaction_not_refundable":
    "Ce paiement ne peut pas être remboursé, car le portefeuille du client ou le vôtre est fermé. Demandez à votre opérateur Tillgate de le rouvrir, ou remboursez le client en dehors de Tillgate.",
  "apiError.idempotency_key_reused":
    "Ce formulaire a déjà été envoyé avec d’autres valeurs. Rechargez la page et vérifiez ce qui a été effectué.",
  "apiError.invalid_lookup_token": "La recherche de ce bénéficiaire a expiré. Recherchez-le de nouveau.",
  "apiError.too_many_attempts":
    "Trop de tentatives. Réessayez dans {minutes, plural, one {# minute} other {# minutes}}.",
  "apiError.merchant_not_found": "Marchand introuvable, ou vous n’y avez pas accès.",
  "apiError.credential_not_found": "Clé API introuvable.",
  "apiError.receiver_not_found": "Ce point de terminaison a été supprimé.",
  "apiError.delivery_not_found": "Envoi introuvable. Les anciens envois sont supprimés automatiquement.",
  "apiError.event_not_found": "Événement introuvable. Les anciens événements sont supprimés automatiquement.",
  "apiError.till_not_found": "Caisse introuvable.",
  "apiError.payment_link_not_found": "Lien de paiement introuvable.",
  "apiError.only_rejection_remains":
    "Le bénéficiaire, son portefeuille ou une devise n’est plus actif. Vous ne pouvez que rejeter ce versement ou ce remboursement.",
  "apiError.sandbox_only": "Disponible uniquement en mode test.",
  "apiError.body_too_large": "La requête est trop volumineuse. Divisez-la en plusieurs parties.",
  "apiError.other": "La demande a été rejetée ({code}).",
  "apiError.wrong_email_or_password": "E-mail ou mot de passe incorrect.",
  "apiError.sign_in_locked":
    "Trop de tentatives échouées. Réessayez dans {minutes, plural, one {# minute} other {# minutes}}.",
  "apiError.too_many_requests": "Trop de requêtes. Veuillez patienter un instant.",
  "apiError.user_disabled": "Votre compte est désactivé. Contactez un administrateur.",
  "apiError.role_not_allowed": "Votre rôle ne le permet pas.",
  "apiError.second_factor_not_fresh": "Confirmez avec votre second facteur pour continuer.",
  "apiError.second_factor_not_set_up": "Configurez d’abord un second facteur sur la page de votre compte.",
  "apiError.second_factor_exists":
    "Vous avez déjà une application d’authentification. Désactivez-la d’abord.",
  "apiError.wrong_code":
    "Code incorrect ou déjà utilisé. S’il vient de votre application, essayez le suivant.",
  "apiError.link_not_valid": "Ce lien n’est plus valable. Demandez-en un nouveau.",
  "apiError.already_member": "Cette personne est déjà membre. Vous pouvez modifier son rôle.",
  "apiError.last_owner": "Un marchand doit avoir au moins un propriétaire. Nommez-en d’abord un autre.",
  "apiError.member_not_found": "Ce membre a déjà été retiré.",
  "apiError.invitation_not_found": "Cette invitation n’existe plus.",
  "apiError.session_not_found": "Cette session est déjà terminée.",
  "apiError.receiver_exists": "Un point de terminaison existe déjà avec cette URL.",
  "apiError.too_many_receivers":
    "Vous avez atteint la limite de points de terminaison. Supprimez-en un pour en ajouter un autre.",
  "apiError.receiver_rotation_under_way": "Ce secret a déjà été renouvelé et l’ancien est encore valide.",
  "apiError.replay_under_way":
    "Des événements sont déjà en cours de renvoi vers ce point de terminaison. Attendez la fin de ce renvoi, ou annulez-le.",
  "apiError.replay_over": "Ce renvoi est terminé. Lancez-en un nouveau.",
  "apiError.replay_not_found": "Renvoi introuvable.",
  "apiError.receiver_inactive":
    "Ce point de terminaison est désactivé ou a été supprimé. S’il est désactivé, réactivez-le d’abord.",
  "apiError.rotation_under_way":
    "Le secret de cette clé API a déjà été renouvelé ou l’ancien est encore valide.",
  "apiError.credential_revoked": "Cette clé API a été révoquée.",
  "apiError.insufficient_balance": "Solde insuffisant.",
  "apiError.recipient_not_found": "Bénéficiaire introuvable ou inactif.",
  "apiError.quote_expired": "Le devis a expiré. Demandez-en un nouveau.",
  "apiError.too_many_exports": "D’autres exports sont en cours. Réessayez dans un instant.",
  "apiError.already_decided": "Cette demande a déjà été traitée.",
  "apiError.request_not_found": "Cette demande n’existe plus.",
  "apiError.invalid_value": "Une valeur n’est pas valide. Vérifiez les montants, devises et nombres.",
  "apiError.not_found": "Marchand, client, portefeuille ou devise introuvable.",
  "apiError.reference_taken": "Cette référence est déjà utilisée pour un autre mouvement.",
  "apiError.needs_second_administrator":
    "Vous ne pouvez pas approuver votre propre demande. Un autre administrateur doit le faire.",
  "apiError.wallet_not_found": "Portefeuille introuvable.",
  "apiError.wallet_closed": "Ce portefeuille est fermé.",
  "apiError.raise_waiting": "Un autre relèvement de ce plafond est en attente d’approbation.",
  "apiError.currency_not_found": "Devise introuvable.",
  "apiError.too_many_payment_links": "Vous avez atteint la limite de liens de paiement.",
  "apiError.view_not_found": "Cette vue n’existe plus.",
  "apiError.view_name_taken": "Vous avez déjà une vue de ce nom.",
  "apiError.too_many_views":
    "Vous avez atteint la limite de vues pour cette liste. Supprimez-en une pour en enregistrer une autre.",
  "apiError.batch_not_found": "Versement groupé introuvable.",
  "apiError.batch_changed":
    "Ce versement groupé a changé ou est encore en cours de vérification. Veuillez le réexaminer.",
  "apiError.too_many_batches":
    "Vous avez atteint la limite de 20 versements groupés ouverts. Confirmez-en ou abandonnez-en un, ou attendez que l’un d’eux soit terminé.",
  "apiError.price_changed": "Le prix a changé depuis votre confirmation.",
  "apiError.too_many_unknown_recipients":
    "Trop de bénéficiaires introuvables : les recherches sont suspendues pendant 24 heures au plus. Vérifiez les adresses et numéros restants.",
  "apiError.recipient_inactive": "Ce bénéficiaire n’est pas actif.",
  "apiError.recipient_has_no_wallet": "Le bénéficiaire n’a pas de portefeuille dans la devise à recevoir.",
  "apiError.recipient_wallet_not_found": "Le bénéficiaire n’a pas de portefeuille dans la devise à recevoir.",
  "apiError.merchant_wallet_not_found":
    "Vous n’avez pas de portefeuille à débiter dans cette devise, ou la devise est inactive.",
  "apiError.invalid_receiver_currency":
    "Cette devise est inconnue ou inactive, ou n’a pas de taux de change.",
  "apiError.invalid_quote": "Le devis a expiré ou a déjà été utilisé. Demandez-en un nouveau.",
  "apiError.invalid_fields": "Le montant est trop faible ou trop élevé pour un versement.",
  "apiError.currency_not_authorized": "Les versements dans cette devise ne sont pas activés.",
  "apiError.per_transaction_limit_exceeded": "Le montant dépasse la limite par versement.",
  "apiError.daily_limit_exceeded":
    "Ce versement dépasserait la limite quotidienne. Elle est réinitialisée à 00:00 UTC.",
  "apiError.monthly_limit_exceeded":
    "Ce versement dépasserait la limite mensuelle. Elle est réinitialisée le 1er du mois à 00:00 UTC.",
  "apiError.duplicate_reference": "Cette référence est déjà utilisée pour un autre versement.",
  "apiError.merchant_suspended": "Ce marchand est suspendu.",
  "apiError.partner_api_disabled":
    "Les versements ne sont pas activés pour ce marchand. Contactez un administrateur.",
  "apiError.not_an_administrator":
    "La personne qui a demandé ou confirmé cette opération n’y est plus autorisée.",
  "apiError.till_paused": "Cette caisse est en pause.",
  "apiError.terminal_taken": "Une caisse utilise déjà cet identifiant de terminal.",
  "apiError.too_many_tills": "Vous avez atteint la limite de caisses.",
  "apiError.nothing_that_ends":
    "Rien à faire expirer avec cet identifiant : inconnu, déjà terminé, utilisé ou expiré, ou secret sans renouvellement en cours.",
  "apiError.too_many_test_controls":
    "Vous avez atteint la limite de simulations. Désactivez-les ou attendez qu’elles s’appliquent.",
  "apiError.passkey_refused": "Nous n’avons pas pu vérifier votre clé d’accès. Veuillez réessayer.",
  "apiError.passkeys_not_available":
    "Les clés d’accès ne sont pas encore disponibles ici. Contactez votre opérateur Tillgate.",
  "apiError.too_many_passkeys":
    "Vous avez atteint la limite de 10 clés d’accès. Supprimez-en une pour en ajouter une autre.",
  "apiError.passkey_not_found": "Cette clé d’accès a déjà été supprimée.",
  "apiError.api_request_not_found": "Cette requête n’est plus conservée.",
  "apiError.wallet_not_empty":
    "Le portefeuille n’est pas vide, ou des fonds sont en attente de vérification.",
  "apiError.already_exists":
    "Cet élément existe déjà ou a déjà été demandé. Rechargez la page pour vérifier.",
  "rule.Displayable": "Supprimez les caractères de contrôle et ceux qui changent le sens d’écriture.",
  "rule.AboveZero": "Saisissez un montant supérieur à zéro.",
  "rule.TwoDecimals": "Deux décimales au maximum.",
  "rule.OwnCurrency": "Vous n’avez pas de portefeuille dans cette devise.",
  "rule.ActiveCurrency": "Cette devise n’est pas active.",
  "rule.WebAddress":
    "Saisissez une URL complète, comme https://shop.example/webhooks, sans nom d’utilisateur ni mot de passe.",
  "rule.HttpsInLive": "En production, l’URL doit commencer par https://.",
  "rule.PublicAddress": "En production, l’URL doit être accessible sur Internet, sur le port 443 ou 80.",
  "rule.RealDay": "Saisissez une date valide.",
  "rule.NotBeforeFirstDay": "La date de fin ne peut pas précéder la date de début.",
  "rule.IsoTime": "Saisissez une date et une heure.",
  "rule.LaterThanFrom": "La fin doit être postérieure au début.",
  "rule.NotLaterThanNow": "Saisissez une date passée.",
  "rule.FewerEvents":
    "Vous pouvez renvoyer jusqu’à 100 000 événements à la fois. Choisissez une période plus courte.",
  "rule.PhoneWithCountry":
    "Saisissez le numéro de téléphone avec l’indicatif du pays, par exemple +33 6 12 34 56 78.",
  "rule.RequiredWithoutEmail": "Saisissez un numéro de téléphone ou une adresse e-mail.",
  "rule.NotWithPhone": "Saisissez un numéro de téléphone ou une adresse e-mail, pas les deux.",
  "rule.WorthAUnit": "Ce montant est trop faible ou trop élevé dans la devise du bénéficiaire.",
  "rule.tooLong": "{value} caractères au maximum.",
  "rule.atLeast": "Saisissez {value} ou plus.",
  "rule.atMost": "Saisissez {value} ou moins.",
  "rule.decimals":
    "{value, plural, =0 {Saisissez un montant sans décimales.} one {# décimale au maximum.} other {# décimales au maximum.}}",
  "rule.WholeSeconds": "Saisissez un nombre entier de secondes.",
  "rule.wholeNumber": "Saisissez un nombre entier de {least} à {most}.",
  "rule.oneOf": "Choisissez parmi {value}.",
  "problem.not_found.title": "Page introuvable",
  "problem.not_found.text":
    "Cette page n’existe pas, ou vous n’y avez pas accès. Vérifiez le lien ou recherchez l’identifiant.",
  "problem.in_sandbox.title": "Cet élément est en mode test",
  "problem.in_sandbox.text": "Vous êtes en production, mais cet identifiant relève du mode test.",
  "problem.in_sandbox.open": "Ouvrir en mode test",
  "problem.in_live.title": "Cet élément est en production",
  "problem.in_live.text": "Vous êtes en mode test, mais cet identifiant relève de la production.",
  "problem.in_live.open": "Ouvrir en production",
  "problem.link_over.title": "Ce lien a expiré ou a déjà été utilisé",
  "problem.link_over.text":
    "Les liens envoyés par e-mail sont à usage unique et de durée limitée. Demandez-en un nouveau. S’il s’agit d’une invitation, demandez à un propriétaire du compte de la renvoyer.",
  "problem.unavailable.title": "Le service de paiement est injoignable",
  "problem.unavailable.text":
    "Vos données sont en sécurité. Patientez quelques secondes, puis rechargez la page. Si vous venez d’envoyer un formulaire, vérifiez d’abord s’il a été pris en compte.",
  "problem.database_full.title": "La base de données n’a plus d’espace disque",
  "problem.database_full.text":
    "Rien de nouveau ne peut être enregistré tant que l’opérateur n’a pas libéré d’espace disque. Vos données existantes sont en sécurité. Si vous venez d’envoyer un formulaire, il n’a pas été pris en compte.",
  "problem.database_busy.title": "Le service est surchargé",
  "problem.database_busy.text":
    "Toutes les connexions à la base de données sont utilisées. Patientez quelques secondes, puis rechargez la page. Si vous venez d’envoyer un formulaire, vérifiez d’abord s’il a été pris en compte.",
  "problem.forbidden.title": "Votre rôle ne le permet pas",
  "problem.forbidden.text":
    "Demandez à un propriétaire ou à un administrateur de le faire ou de modifier votre rôle.",
  "problem.csrf.title": "Ce formulaire n’a pas été accepté",
  "problem.csrf.text":
    "Le formulaire était incomplet ou n’a pas été envoyé depuis cette console : rien n’a été modifié. Rouvrez la page et réessayez.",
  "problem.form_too_large.title": "Ce formulaire est trop volumineux",
  "problem.form_too_large.text":
    "Rien n’a été modifié. Rouvrez la page, puis raccourcissez le texte ou choisissez un fichier plus petit.",
  "problem.failed.title": "Une erreur s’est produite",
  "problem.failed.text":
    "Le problème vient de notre côté. Réessayez. S’il persiste, contactez votre administrateur.",
  "problem.home": "Aller à l’accueil",
  "problem.again": "Recharger la page",
};
