<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\WithServices;

/** Adds the findings to WooCommerce's system status report and to Site Health, which merchants send to support. */
final class StatusReport
{
    use WithServices;

    private const TEST = 'tillgate';
    /** Findings that prevent payments or their recording. */
    private const CRITICAL = ['settings', 'contact', 'refused', 'mismatches', 'unpaid'];

    public function addHooks(): void
    {
        add_action('woocommerce_system_status_report', [$this, 'show']);
        add_filter('site_status_tests', [$this, 'addTests']);
        add_filter('debug_information', [$this, 'addInformation']);
    }

    public function show(): void
    {
        echo '<table class="wc_status_table widefat" cellspacing="0"><thead><tr><th colspan="3" data-export-label="Tillgate"><h2>'
            . esc_html__('Tillgate', 'tillgate-for-woocommerce') . '</h2></th></tr></thead><tbody>';
        foreach ($this->lines() as [$title, $text, $ok]) {
            printf(
                '<tr><td data-export-label="%1$s">%1$s:</td><td class="help">&nbsp;</td><td><mark class="%2$s">%3$s</mark></td></tr>',
                esc_attr($title),
                esc_attr($ok ? 'yes' : 'error'),
                esc_html($text)
            );
        }
        echo '</tbody></table>';
    }

    public function addTests($tests)
    {
        if (is_array($tests) && $this->services->settings->isEnabled()) {
            $tests['direct'][self::TEST] = [
                'label' => __('Payments with Tillgate', 'tillgate-for-woocommerce'),
                'test' => [$this, 'test'],
            ];
        }
        return $tests;
    }

    /** @return array<string, mixed> Site Health test result */
    public function test(): array
    {
        $problems = array_filter((new HealthFindings($this->services))->all(), static function (array $finding): bool {
            return !$finding['ok'];
        });
        $isCritical = array_intersect(array_column($problems, 'name'), self::CRITICAL) !== [];
        $texts = array_map(static function (array $finding): string {
            $text = rtrim("{$finding['title']}: {$finding['text']}", '.');
            return '<li>' . esc_html(trim("$text. {$finding['advice']}")) . '</li>';
        }, $problems);
        return [
            'label' => $problems === []
                ? __('Payments with Tillgate are working', 'tillgate-for-woocommerce')
                : __('Payments with Tillgate need your attention', 'tillgate-for-woocommerce'),
            'status' => $problems === [] ? 'good' : ($isCritical ? 'critical' : 'recommended'),
            'badge' => ['label' => __('Payments', 'tillgate-for-woocommerce'), 'color' => 'blue'],
            'description' => $problems === []
                ? '<p>' . esc_html__('No problems found: payments are accepted, and there are no known differences from Tillgate.', 'tillgate-for-woocommerce') . '</p>'
                : '<ul>' . implode('', $texts) . '</ul>',
            'actions' => sprintf(
                '<p><a href="%s">%s</a></p>',
                esc_url(HealthPanel::url()),
                esc_html__('View Tillgate status', 'tillgate-for-woocommerce')
            ),
            'test' => self::TEST,
        ];
    }

    public function addInformation($information)
    {
        if (!is_array($information)) {
            return $information;
        }
        $fields = [];
        foreach ($this->lines() as $index => [$title, $text]) {
            $fields["line_$index"] = ['label' => $title, 'value' => $text];
        }
        $information['tillgate'] = ['label' => __('Tillgate', 'tillgate-for-woocommerce'), 'fields' => $fields];
        return $information;
    }

    /** @return array<int, array{0: string, 1: string, 2: bool}> title, text and whether it is OK; without secrets */
    private function lines(): array
    {
        $lines = [
            [__('Version', 'tillgate-for-woocommerce'), TILLGATE_WOOCOMMERCE_VERSION, true],
            [__('Mode', 'tillgate-for-woocommerce'), $this->services->settings->mode(), true],
        ];
        foreach ((new HealthFindings($this->services))->all() as $finding) {
            $lines[] = [$finding['title'], trim("{$finding['text']} {$finding['code']}"), $finding['ok']];
        }
        return $lines;
    }
}
