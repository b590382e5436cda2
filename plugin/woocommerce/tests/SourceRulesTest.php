<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;

/** Static checks: output is escaped, admin actions are guarded. */
final class SourceRulesTest extends TestCase
{
    private const ESCAPING = '/^(esc_html|esc_attr|esc_url|esc_html__|esc_attr__|esc_html_e|esc_attr_e|wp_kses_post|absint|language_attributes)$/';

    /** @dataProvider sources */
    public function testEscapesAllOutput(string $file): void
    {
        $source = (string) file_get_contents($file);
        $lines = explode("\n", $source);
        $tokens = token_get_all($source);
        $checked = 0;
        foreach ($tokens as $index => $token) {
            $isPrint = is_array($token)
                && ($token[0] === T_ECHO || $token[0] === T_OPEN_TAG_WITH_ECHO || $token[0] === T_PRINT
                    || ($token[0] === T_STRING && in_array($token[1], ['printf', 'vprintf'], true)));
            if (!$isPrint || strpos($lines[$token[2] - 2] ?? '', 'OutputNotEscaped') !== false) {
                continue;
            }
            $checked += 1;
            foreach (self::unescaped($tokens, $index) as $name) {
                self::fail(basename($file) . ":{$token[2]} prints $name unescaped");
            }
        }
        self::assertGreaterThanOrEqual(0, $checked);
    }

    /** @dataProvider sources */
    public function testChecksNonceAndCapabilityInAdminActions(string $file): void
    {
        $source = (string) file_get_contents($file);
        preg_match_all("/add_action\('(?:wp_ajax_|admin_post_)' \. self::\w+, \[\\\$this, '(\w+)'\]/", $source, $found);
        preg_match_all('/(wp_ajax_|admin_post_)/', $source, $mentions);
        self::assertSameSize($found[1], $mentions[1], 'An action is registered in a form that this test does not recognize.');
        foreach ($found[1] as $method) {
            $start = strpos($source, "function $method(");
            $body = substr($source, (int) $start, 900);
            if (preg_match('/OrderAction::requireOrderId\(self::[A-Z]+\)/', $body) === 1) {
                $body = (string) file_get_contents(dirname(__DIR__) . '/src/includes/Admin/OrderAction.php');
            }
            // The return from Tillgate is verified by the OAuth state.
            $check = '/check_(admin|ajax)_referer\(|Connection\(\$this->services\)\)->finish\(get_current_user_id\(\)/';
            self::assertMatchesRegularExpression($check, $body, "$method checks no nonce");
            self::assertStringContainsString('current_user_can(', $body, "$method checks no capability");
        }
    }

    /** @dataProvider sources */
    public function testDeclaresPermissionsOfRestRoutes(string $file): void
    {
        $source = (string) file_get_contents($file);
        self::assertSame(substr_count($source, 'register_rest_route('), substr_count($source, "'permission_callback'"));
        self::assertStringNotContainsString('__return_true', $source);
    }

    /** @dataProvider sources */
    public function testAccessesOrdersThroughWooCommerceObjects(string $file): void
    {
        $source = (string) file_get_contents($file);
        self::assertDoesNotMatchRegularExpression(
            '/(get_post_meta|update_post_meta|get_post\(|wp_insert_post|wp_update_post|WP_Query)/',
            $source
        );
    }

    public function sources(): array
    {
        $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator(dirname(__DIR__) . '/src'));
        $sources = [];
        foreach ($files as $file) {
            if ($file->getExtension() === 'php') {
                $sources[$file->getFilename()] = [$file->getPathname()];
            }
        }
        return $sources;
    }

    /** @return string[] variables of a printing statement that are outside of an escaping call */
    private static function unescaped(array $tokens, int $from): array
    {
        $isPrintf = is_array($tokens[$from]) && $tokens[$from][0] === T_STRING;
        $bare = [];
        $depth = 0;
        $safeBelow = null;
        for ($index = $from + 1, $count = count($tokens); $index < $count; $index += 1) {
            $token = $tokens[$index];
            if ($token === ';' || (is_array($token) && $token[0] === T_CLOSE_TAG)) {
                break;
            }
            if ($token === '(') {
                $depth += 1;
            } elseif ($token === ')') {
                $depth -= 1;
                if ($safeBelow !== null && $depth < $safeBelow) {
                    $safeBelow = null;
                }
                if ($isPrintf && $depth === 0) {
                    break;
                }
            } elseif (is_array($token) && $safeBelow === null) {
                if ($token[0] === T_STRING && preg_match(self::ESCAPING, $token[1]) === 1) {
                    $safeBelow = $depth + 1;
                } elseif ($token[0] === T_VARIABLE) {
                    $isCondition = self::nextSymbol($tokens, $index) === '===';
                    if (!$isCondition) {
                        $bare[] = $token[1];
                    }
                }
            }
        }
        return $bare;
    }

    private static function nextSymbol(array $tokens, int $index): string
    {
        for ($next = $index + 1; isset($tokens[$next]); $next += 1) {
            if (!is_array($tokens[$next]) || $tokens[$next][0] !== T_WHITESPACE) {
                return is_array($tokens[$next]) ? $tokens[$next][1] : $tokens[$next];
            }
        }
        return '';
    }
}
