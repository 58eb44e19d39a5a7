import 'monaco-editor/features/find/register.js'
import 'monaco-editor/features/folding/register.js'
import 'monaco-editor/languages/definitions/javascript/register.js'
import * as monaco from 'monaco-editor/editor.js'

const lines = Array.from(
  { length: 60 },
  (_, line) => `const lamp${line} = { metal: 'brass', price: ${line} } // in stock`,
)
const root = document.querySelector('#root')
root.style.height = '500px'
monaco.editor.create(root, {
  value: lines.join('\n'),
  language: 'javascript',
  theme: 'vs-dark',
  fontFamily: 'monospace',
})
