import 'quill/dist/quill.snow.css'
import Quill from 'quill'

document.querySelector('#root').innerHTML = '<div id="editor"></div>'
const quill = new Quill('#editor', { theme: 'snow' })
quill.setContents([
  { insert: 'Lamps' },
  { insert: '\n', attributes: { header: 1 } },
  { insert: 'Brass', attributes: { bold: true, color: 'crimson' } },
  { insert: ' and linen' },
  { insert: '\n', attributes: { list: 'bullet' } },
  { insert: 'const lamp = 1' },
  { insert: '\n', attributes: { 'code-block': true } },
])
