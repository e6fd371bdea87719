// Runs a declarative pipeline without Jenkins: every call of the pipeline is printed as a line of JSON, with its depth, and a block is entered.
import groovy.json.JsonOutput

class Recorder {
  int depth
  def env = [WORKSPACE: '/w', WORKSPACE_TMP: '/w@tmp']
  def any = 'any'

  def methodMissing(String name, arguments) {
    def given = arguments as List
    def block = given && given.last() instanceof Closure ? given.pop() : null
    println JsonOutput.toJson([depth: depth, call: name, arguments: given.collect { it instanceof Map ? it : it as String }])
    if (block != null) {
      depth += 1
      block.delegate = this
      block.resolveStrategy = Closure.DELEGATE_FIRST
      block()
      depth -= 1
    }
    name
  }

  void propertyMissing(String name, value) {
    println JsonOutput.toJson([depth: depth, call: name, arguments: [value as String]])
  }

  def propertyMissing(String name) { name }
}

def script = new GroovyShell().parse(new File(args[0]))
def recorder = new Recorder()
script.metaClass.methodMissing = { String name, arguments -> recorder.methodMissing(name, arguments) }
script.run()
