import { openSearchPanel } from '@codemirror/search'
import { basicSetup, EditorView } from 'codemirror'

const doc = Array.from({ length: 60 }, (_, line) => `lamp ${line} = { metal: 'brass', price: ${line * 7} }`)
const view = new EditorView({
  doc: doc.join('\n'),
  extensions: [basicSetup, EditorView.theme({ '&': { height: '400px' } })],
  parent: document.querySelector('#root'),
})
view.dispatch({ selection: { anchor: 5, head: 60 } })
openSearchPanel(view)
