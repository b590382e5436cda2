<?php

use Tillgate\WooCommerce\Tests\World;

class WP_Error
{
    private $text;

    public function __construct(string $code, string $text = '', $data = null)
    {
        unset($code, $data);
        $this->text = $text;
    }

    public function get_error_message(): string
    {
        return $this->text;
    }
}

class WP_REST_Response
{
    public $data;
    public $status;
    public $headers = [];

    public function __construct($data = null, int $status = 200)
    {
        $this->data = $data;
        $this->status = $status;
    }

    public function header(string $name, string $value): void
    {
        $this->headers[$name] = $value;
    }
}

class WP_REST_Request implements ArrayAccess
{
    private $parameters = [];
    private $headers;
    private $body;
    private $route;

    public function __construct(array $headers, string $body, string $route = '/tillgate/v1/webhook')
    {
        foreach ($headers as $name => $value) {
            $this->headers[strtolower(str_replace('-', '_', $name))] = $value;
        }
        $this->body = $body;
        $this->route = $route;
    }

    public function get_header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    public function get_body(): string
    {
        return $this->body;
    }

    public function get_route(): string
    {
        return $this->route;
    }

    public function get_method(): string
    {
        return 'POST';
    }

    public function offsetExists($name): bool
    {
        return isset($this->parameters[$name]);
    }

    #[\ReturnTypeWillChange]
    public function offsetGet($name)
    {
        return $this->parameters[$name] ?? null;
    }

    public function offsetSet($name, $value): void
    {
        $this->parameters[$name] = $value;
    }

    public function offsetUnset($name): void
    {
        unset($this->parameters[$name]);
    }
}

class WP_REST_Server
{
}

/** wpdb on SQLite; translates the MySQL syntax that the plugin uses. */
class wpdb
{
    public $prefix = 'wp_';
    public $last_error = '';
    private $pdo;

    public function __construct(string $file = ':memory:')
    {
        $this->pdo = new PDO("sqlite:$file", null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_TIMEOUT => 10]);
        $this->pdo->sqliteCreateFunction('UNIX_TIMESTAMP', static function (): int {
            return World::$now;
        }, 0);
    }

    public function get_charset_collate(): string
    {
        return '';
    }

    public function prepare(string $sql, array $values): string
    {
        $index = 0;
        return preg_replace_callback('/%[sd]/', function (array $found) use (&$index, $values): string {
            $value = $values[$index];
            $index += 1;
            return $found[0] === '%d' ? (string) (int) $value : $this->pdo->quote((string) $value);
        }, $sql);
    }

    public function query(string $sql)
    {
        try {
            return (int) $this->pdo->exec(self::translate($sql));
        } catch (PDOException $error) {
            $this->last_error = $error->getMessage();
            return false;
        }
    }

    public function get_results(string $sql, string $output)
    {
        try {
            $rows = $this->pdo->query(self::translate($sql))->fetchAll(PDO::FETCH_ASSOC);
        } catch (PDOException $error) {
            $this->last_error = $error->getMessage();
            return null;
        }
        return array_map(static function (array $row): array {
            return array_map(static function ($value): ?string {
                return $value === null ? null : (string) $value;
            }, $row);
        }, $rows);
    }

    private static function translate(string $sql): string
    {
        if (strncmp($sql, 'CREATE TABLE', 12) === 0) {
            $sql = preg_replace('/id bigint NOT NULL AUTO_INCREMENT/', 'id INTEGER PRIMARY KEY AUTOINCREMENT', $sql);
            $sql = preg_replace('/,\s*PRIMARY KEY  \(id\)/', '', $sql);
            $sql = preg_replace('/,\s*KEY \w+ \([\w,]+\)/', '', $sql);
            return preg_replace('/UNIQUE KEY \w+/', 'UNIQUE', $sql);
        }
        return str_replace(['INSERT IGNORE', 'START TRANSACTION'], ['INSERT OR IGNORE', 'BEGIN'], $sql);
    }
}

function __($text, $domain)
{
    return World::$translations[$text] ?? $text;
}

function esc_html($text)
{
    return htmlspecialchars((string) $text, ENT_QUOTES);
}

function get_option($name, $default = false)
{
    return World::$options[$name] ?? $default;
}

function update_option($name, $value, $autoload = null)
{
    World::$options[$name] = $value;
    return true;
}

function wp_salt($scheme)
{
    return World::$salt . $scheme;
}

function home_url()
{
    return 'https://shop.example';
}

function rest_url($path)
{
    return "https://shop.example/wp-json/$path";
}

function untrailingslashit($text)
{
    return rtrim($text, '/');
}

function wp_parse_url($address, $part)
{
    return parse_url($address, $part);
}

function wp_json_encode($value, $options = 0)
{
    return json_encode($value, $options);
}

function wp_generate_uuid4()
{
    return bin2hex(random_bytes(16));
}

function add_query_arg($values, $address)
{
    return $address . '?' . http_build_query($values);
}

function sanitize_text_field($text)
{
    return trim(preg_replace('/\s+/', ' ', strip_tags($text)));
}

function is_wp_error($value)
{
    return $value instanceof WP_Error;
}

function switch_to_locale($locale)
{
    return false;
}

function get_locale()
{
    return 'en_US';
}

function wp_upload_dir($time = null, $create = true)
{
    return ['basedir' => World::$uploads];
}

function wp_mkdir_p($folder)
{
    return is_dir($folder) || mkdir($folder, 0700, true);
}

function wp_is_writable($folder)
{
    return !World::$isReadOnly && is_writable($folder);
}

function wp_delete_file($file)
{
    unlink($file);
}

function get_bloginfo($what)
{
    return 'Kiln &amp; Clover';
}

function set_transient($name, $value, $seconds)
{
    World::$options["transient $name"] = ['value' => $value, 'ends' => time() + $seconds];
    return true;
}

function get_transient($name)
{
    $kept = World::$options["transient $name"] ?? null;
    return $kept === null || $kept['ends'] <= time() ? false : $kept['value'];
}

function delete_transient($name)
{
    $isThere = isset(World::$options["transient $name"]);
    unset(World::$options["transient $name"]);
    return $isThere;
}

function determine_locale()
{
    return $GLOBALS['tillgate_locale'] ?? 'de_DE_formal';
}

function wp_strip_all_tags($text)
{
    return strip_tags($text);
}

function wp_cache_delete($key, $group)
{
    return true;
}

function clean_post_cache($id)
{
}

function apply_filters($hook, $value, ...$arguments)
{
    $priorities = array_keys(World::$actions[$hook] ?? []);
    sort($priorities);
    foreach ($priorities as $priority) {
        foreach (World::$actions[$hook][$priority] as $callback) {
            $value = $callback($value, ...$arguments);
        }
    }
    return $value;
}

function add_filter($hook, $callback, $priority = 10)
{
    add_action($hook, $callback, $priority);
}

function remove_filter($hook, $callback, $priority = 10)
{
    return remove_action($hook, $callback, $priority);
}

function add_action($hook, $callback, $priority = 10)
{
    World::$actions[$hook][$priority][] = $callback;
}

function remove_action($hook, $callback, $priority = 10)
{
    $there = World::$actions[$hook][$priority] ?? [];
    World::$actions[$hook][$priority] = array_filter($there, static function ($other) use ($callback): bool {
        return $other !== $callback;
    });
    return in_array($callback, $there, true);
}

/** As in WordPress, callbacks added or removed meanwhile take effect from the next priority on. */
function do_action($hook, ...$arguments)
{
    $priorities = array_keys(World::$actions[$hook] ?? []);
    sort($priorities);
    foreach ($priorities as $priority) {
        foreach (World::$actions[$hook][$priority] as $callback) {
            $callback(...$arguments);
        }
    }
}

function wp_remote_request($address, $arguments)
{
    return World::$tillgate->handle($address, $arguments);
}

function wp_remote_retrieve_header($response, $name)
{
    return $response['headers'][$name] ?? '';
}

function wp_remote_retrieve_response_code($response)
{
    return $response['status'];
}

function wp_remote_retrieve_body($response)
{
    return $response['body'];
}
