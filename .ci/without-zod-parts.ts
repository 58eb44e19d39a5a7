import type { Plugin } from 'vite'

/** Omits parts of zod that the dashboard does not use. `npm run build` fails if a new version of zod lacks one of them. */
export function withoutZodParts(): Plugin {
  return {
    name: 'without-zod-parts',
    apply: 'build',
    transform(code, id) {
      const [, file = ''] = /zod[\\/]v4[\\/](\w+[\\/][\w-]+)\.js$/.exec(id) ?? []
      const change = changes[file.replace('\\', '/')]
      return change ? { code: change(code), map: null } : null
    },
  }
}

const changes: Record<string, (code: string) => string> = {
  // Forms have their own messages, and errors in responses are never shown.
  'locales/en': () => 'export default () => ({})',
  'core/to-json-schema': exportNothing,
  'core/json-schema-processors': exportNothing,
  'classic/schemas': reduceSchemas,
}

function exportNothing(code: string): string {
  const names = Array.from(code.matchAll(/^export (?:const|function) (\w+)/gm), ([, name]) => name)
  return names.map((name) => `export const ${name} = () => undefined`).join('\n')
}

/**
 * Removes the string formats that are methods (use `z.email()`, not `z.string().email()`); parsers generated as source
 * code, which the content security policy forbids; and the detection of cycles, which JSON does not have.
 */
export function reduceSchemas(code: string): string {
  return [
    { part: /(export const ZodString = [^]*?\n\}), \{\n {4}email\([^]*?\n\}\);/, kept: '$1);' },
    { part: /core\.\$ZodObjectJIT\.init/, kept: 'core.$$ZodObject.init' },
    { part: /core\.config\(\{ memoizer: core\.memoizer\(\) \}\)/, kept: 'undefined' },
  ].reduce((reduced, { part, kept }) => {
    if (!part.test(reduced)) throw new Error(`zod’s schemas do not contain ${part}.`)
    return reduced.replace(part, kept)
  }, code)
}
