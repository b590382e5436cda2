<?php

namespace Tillgate\WooCommerce\Shop;

/**
 * Problems found by the last background run that need the merchant's attention. They are shown in the admin area, and e-mailed if they last
 * more than a few minutes.
 */
final class Alerts
{
    public const OPTION = 'tillgate_alarms';
    private const ALERTING_FINDINGS = ['settings', 'contact', 'starts', 'refused', 'pending', 'mismatches', 'unpaid', 'refunds', 'books', 'attention'];
    private const EMAIL_DELAY_SECONDS = 300;
    private const EMAIL_REPEAT_SECONDS = 86400;

    private Settings $settings;

    public function __construct(Settings $settings)
    {
        $this->settings = $settings;
    }

    /**
     * Updates the active alerts, and e-mails those that have lasted five minutes, at most once a day.
     * @param array<int, array{name: string, ok: bool, title: string, text: string, advice: string, code: string}> $findings
     */
    public function update(array $findings): void
    {
        $previous = self::active();
        $current = [];
        foreach ($findings as $finding) {
            // Missing settings are expected while the shop is not connected.
            $isIgnored = $finding['name'] === 'settings' && $this->settings->clientId() === '';
            if (!$finding['ok'] && !$isIgnored && in_array($finding['name'], self::ALERTING_FINDINGS, true)) {
                $current[$finding['name']] = [
                    'text' => $finding['title'] . ': ' . $finding['text'],
                    'advice' => $finding['advice'],
                    'since' => $previous[$finding['name']]['since'] ?? time(),
                    'mailed_at' => $previous[$finding['name']]['mailed_at'] ?? null,
                ];
            }
        }
        $due = array_filter($current, static function (array $alert): bool {
            $hasPersisted = $alert['since'] <= time() - self::EMAIL_DELAY_SECONDS;
            return $hasPersisted && ($alert['mailed_at'] === null || $alert['mailed_at'] <= time() - self::EMAIL_REPEAT_SECONDS);
        });
        if ($due !== [] && $this->sendEmail($due)) {
            foreach (array_keys($due) as $name) {
                $current[$name]['mailed_at'] = time();
            }
        }
        if ($current !== $previous) {
            update_option(self::OPTION, $current, false);
        }
    }

    /** @return array<string, array{text: string, advice: string, since: int, mailed_at: int|null}> by name of the finding */
    public static function active(): array
    {
        $alerts = get_option(self::OPTION, []);
        return is_array($alerts) ? $alerts : [];
    }

    /** @param array<string, array{text: string, advice: string, since: int, mailed_at: int|null}> $alerts */
    private function sendEmail(array $alerts): bool
    {
        $recipient = $this->settings->alertEmail();
        if ($recipient === '') {
            return false;
        }
        $shop = html_entity_decode(get_bloginfo('name'), ENT_QUOTES);
        $texts = array_map(static function (array $alert): string {
            return trim($alert['text'] . "\n" . $alert['advice']);
        }, $alerts);
        /* translators: %s: shop name */
        $subject = sprintf(__('[%s] Tillgate needs your attention', 'tillgate-for-woocommerce'), $shop);
        $body = implode("\n\n", array_merge($texts, [admin_url('admin.php?page=wc-status&tab=tillgate')]));
        return (bool) wp_mail($recipient, $subject, $body);
    }
}
