"builtin.module"() <{sym_name = "jit_igamma"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>):
    %0 = "stablehlo.compare"(%arg0, %arg0) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %2 = "stablehlo.or"(%0, %1) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %3 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %5 = "stablehlo.compare"(%arg1, %4) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %8 = "stablehlo.compare"(%arg0, %7) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %11 = "stablehlo.compare"(%arg1, %10) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %12 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %14 = "stablehlo.compare"(%arg1, %13) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %17 = "stablehlo.compare"(%arg0, %16) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %18 = "stablehlo.and"(%8, %11) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %19 = "stablehlo.or"(%14, %17) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %20 = "stablehlo.or"(%19, %18) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %21 = "stablehlo.or"(%20, %2) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %22 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %24 = "stablehlo.compare"(%arg1, %23) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %25 = "stablehlo.compare"(%arg1, %arg0) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %26 = "stablehlo.and"(%24, %25) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %27 = "stablehlo.log"(%arg1) : (tensor<12xf32>) -> tensor<12xf32>
    %28 = "stablehlo.multiply"(%arg0, %27) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %29 = "stablehlo.subtract"(%28, %arg1) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %30 = "chlo.lgamma"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    %31 = "stablehlo.subtract"(%29, %30) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %32 = "stablehlo.constant"() <{value = dense<3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.log"(%32) : (tensor<f32>) -> tensor<f32>
    %34 = "stablehlo.negate"(%33) : (tensor<f32>) -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %36 = "stablehlo.compare"(%31, %35) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %37 = "stablehlo.exponential"(%31) : (tensor<12xf32>) -> tensor<12xf32>
    %38 = "stablehlo.or"(%11, %21) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %39 = "stablehlo.or"(%38, %36) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %40 = "stablehlo.or"(%39, %5) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %41 = "stablehlo.not"(%40) : (tensor<12xi1>) -> tensor<12xi1>
    %42 = "stablehlo.and"(%41, %26) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %43 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %45 = "stablehlo.subtract"(%44, %arg0) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %46 = "stablehlo.add"(%arg1, %45) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %47 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %49 = "stablehlo.add"(%46, %48) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %50 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %52 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %54 = "stablehlo.add"(%arg1, %53) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %55 = "stablehlo.multiply"(%49, %arg1) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %56 = "stablehlo.divide"(%54, %55) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %57 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %59 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %61 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %63 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %65 = "stablehlo.negate"(%arg1) : (tensor<12xf32>) -> tensor<12xf32>
    %66 = "stablehlo.multiply"(%56, %65) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %67 = "stablehlo.subtract"(%64, %66) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %68 = "stablehlo.divide"(%67, %55) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %69 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %70:15 = "stablehlo.while"(%42, %56, %58, %45, %49, %69, %54, %55, %51, %arg1, %60, %62, %64, %65, %68) ({
    ^bb0(%arg33: tensor<12xi1>, %arg34: tensor<12xf32>, %arg35: tensor<12xf32>, %arg36: tensor<12xf32>, %arg37: tensor<12xf32>, %arg38: tensor<f32>, %arg39: tensor<12xf32>, %arg40: tensor<12xf32>, %arg41: tensor<12xf32>, %arg42: tensor<12xf32>, %arg43: tensor<12xf32>, %arg44: tensor<12xf32>, %arg45: tensor<12xf32>, %arg46: tensor<12xf32>, %arg47: tensor<12xf32>):
      %231 = "stablehlo.constant"() <{value = dense<2.000000e+03> : tensor<f32>}> : () -> tensor<f32>
      %232 = "stablehlo.compare"(%arg38, %231) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %233 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
      %234 = "stablehlo.reduce"(%arg33, %233) <{dimensions = array<i64: 0>}> ({
      ^bb0(%arg48: tensor<i1>, %arg49: tensor<i1>):
        %236 = "stablehlo.or"(%arg48, %arg49) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        "stablehlo.return"(%236) : (tensor<i1>) -> ()
      }) : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      %235 = "stablehlo.and"(%232, %234) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%235) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg18: tensor<12xi1>, %arg19: tensor<12xf32>, %arg20: tensor<12xf32>, %arg21: tensor<12xf32>, %arg22: tensor<12xf32>, %arg23: tensor<f32>, %arg24: tensor<12xf32>, %arg25: tensor<12xf32>, %arg26: tensor<12xf32>, %arg27: tensor<12xf32>, %arg28: tensor<12xf32>, %arg29: tensor<12xf32>, %arg30: tensor<12xf32>, %arg31: tensor<12xf32>, %arg32: tensor<12xf32>):
      %125 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %126 = "stablehlo.add"(%arg23, %125) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %127 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %129 = "stablehlo.add"(%arg21, %128) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %130 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %132 = "stablehlo.add"(%arg22, %131) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %133 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %134 = "stablehlo.multiply"(%129, %133) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %135 = "stablehlo.multiply"(%arg24, %132) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %136 = "stablehlo.multiply"(%arg26, %134) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %137 = "stablehlo.subtract"(%135, %136) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %138 = "stablehlo.multiply"(%arg25, %132) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %139 = "stablehlo.multiply"(%arg27, %134) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %140 = "stablehlo.subtract"(%138, %139) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %141 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %143 = "stablehlo.compare"(%140, %142) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %144 = "stablehlo.divide"(%137, %140) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %145 = "stablehlo.subtract"(%arg19, %144) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %146 = "stablehlo.divide"(%145, %144) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %147 = "stablehlo.abs"(%146) : (tensor<12xf32>) -> tensor<12xf32>
      %148 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %150 = "stablehlo.select"(%143, %147, %149) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %151 = "stablehlo.select"(%143, %144, %arg19) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %152 = "stablehlo.multiply"(%arg30, %132) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %153 = "stablehlo.subtract"(%152, %arg24) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %154 = "stablehlo.multiply"(%arg28, %134) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %155 = "stablehlo.subtract"(%153, %154) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %156 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %157 = "stablehlo.multiply"(%arg26, %156) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %158 = "stablehlo.add"(%155, %157) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %159 = "stablehlo.multiply"(%arg31, %132) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %160 = "stablehlo.subtract"(%159, %arg25) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %161 = "stablehlo.multiply"(%arg29, %134) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %162 = "stablehlo.subtract"(%160, %161) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %163 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %164 = "stablehlo.multiply"(%arg27, %163) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %165 = "stablehlo.add"(%162, %164) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %166 = "stablehlo.multiply"(%151, %165) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %167 = "stablehlo.subtract"(%158, %166) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %168 = "stablehlo.divide"(%167, %140) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %169 = "stablehlo.select"(%143, %168, %arg32) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %170 = "stablehlo.subtract"(%169, %arg32) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %171 = "stablehlo.abs"(%170) : (tensor<12xf32>) -> tensor<12xf32>
      %172 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %173 = "stablehlo.broadcast_in_dim"(%172) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %174 = "stablehlo.select"(%143, %171, %173) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %175 = "stablehlo.abs"(%137) : (tensor<12xf32>) -> tensor<12xf32>
      %176 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %177 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %178 = "stablehlo.broadcast_in_dim"(%177) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
      %179 = "stablehlo.divide"(%178, %176) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %180 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %181 = "stablehlo.compare"(%175, %180) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %182 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %184 = "stablehlo.multiply"(%arg24, %183) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %185 = "stablehlo.select"(%181, %184, %arg24) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %186 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %188 = "stablehlo.multiply"(%137, %187) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %189 = "stablehlo.select"(%181, %188, %137) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %190 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %192 = "stablehlo.multiply"(%arg25, %191) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %193 = "stablehlo.select"(%181, %192, %arg25) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %194 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %195 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %196 = "stablehlo.multiply"(%140, %195) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %197 = "stablehlo.select"(%181, %196, %140) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %198 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %199 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %200 = "stablehlo.multiply"(%arg30, %199) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %201 = "stablehlo.select"(%181, %200, %arg30) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %202 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %203 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %204 = "stablehlo.multiply"(%arg31, %203) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %205 = "stablehlo.select"(%181, %204, %arg31) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %206 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %207 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %208 = "stablehlo.multiply"(%158, %207) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %209 = "stablehlo.select"(%181, %208, %158) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %210 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %211 = "stablehlo.broadcast_in_dim"(%210) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %212 = "stablehlo.multiply"(%165, %211) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %213 = "stablehlo.select"(%181, %212, %165) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %214 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %215 = "stablehlo.broadcast_in_dim"(%214) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %216 = "stablehlo.compare"(%150, %215) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %217 = "stablehlo.and"(%arg18, %216) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
      %218 = "stablehlo.select"(%arg18, %151, %arg19) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %219 = "stablehlo.select"(%arg18, %150, %arg20) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %220 = "stablehlo.select"(%arg18, %129, %arg21) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %221 = "stablehlo.select"(%arg18, %132, %arg22) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %222 = "stablehlo.select"(%arg18, %189, %arg24) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %223 = "stablehlo.select"(%arg18, %197, %arg25) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %224 = "stablehlo.select"(%arg18, %185, %arg26) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %225 = "stablehlo.select"(%arg18, %193, %arg27) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %226 = "stablehlo.select"(%arg18, %201, %arg28) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %227 = "stablehlo.select"(%arg18, %205, %arg29) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %228 = "stablehlo.select"(%arg18, %209, %arg30) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %229 = "stablehlo.select"(%arg18, %213, %arg31) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %230 = "stablehlo.select"(%arg18, %169, %arg32) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      "stablehlo.return"(%217, %218, %219, %220, %221, %126, %222, %223, %224, %225, %226, %227, %228, %229, %230) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) -> ()
    }) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) -> (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>)
    %71 = "stablehlo.multiply"(%70#1, %37) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %72 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %74 = "stablehlo.subtract"(%73, %71) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %75 = "stablehlo.not"(%26) : (tensor<12xi1>) -> tensor<12xi1>
    %76 = "stablehlo.and"(%41, %75) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %77 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %79 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %81 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %83 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %85:7 = "stablehlo.while"(%76, %arg0, %78, %80, %arg1, %82, %84) ({
    ^bb0(%arg9: tensor<12xi1>, %arg10: tensor<12xf32>, %arg11: tensor<12xf32>, %arg12: tensor<12xf32>, %arg13: tensor<12xf32>, %arg14: tensor<12xf32>, %arg15: tensor<12xf32>):
      %122 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
      %123 = "stablehlo.reduce"(%arg9, %122) <{dimensions = array<i64: 0>}> ({
      ^bb0(%arg16: tensor<i1>, %arg17: tensor<i1>):
        %124 = "stablehlo.or"(%arg16, %arg17) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        "stablehlo.return"(%124) : (tensor<i1>) -> ()
      }) : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%123) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<12xi1>, %arg3: tensor<12xf32>, %arg4: tensor<12xf32>, %arg5: tensor<12xf32>, %arg6: tensor<12xf32>, %arg7: tensor<12xf32>, %arg8: tensor<12xf32>):
      %98 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %100 = "stablehlo.add"(%arg3, %99) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %101 = "stablehlo.divide"(%arg6, %100) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %102 = "stablehlo.multiply"(%arg7, %101) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %103 = "stablehlo.multiply"(%arg4, %arg6) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %104 = "stablehlo.multiply"(%100, %100) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %105 = "stablehlo.divide"(%103, %104) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %106 = "stablehlo.subtract"(%102, %105) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %107 = "stablehlo.add"(%arg8, %106) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %108 = "stablehlo.divide"(%arg6, %100) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %109 = "stablehlo.multiply"(%arg4, %108) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %110 = "stablehlo.add"(%arg5, %109) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %111 = "stablehlo.divide"(%109, %110) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %112 = "stablehlo.constant"() <{value = dense<1.1920929E-7> : tensor<f32>}> : () -> tensor<f32>
      %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
      %114 = "stablehlo.compare"(%111, %113) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %115 = "stablehlo.and"(%arg2, %114) : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
      %116 = "stablehlo.select"(%arg2, %100, %arg3) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %117 = "stablehlo.select"(%arg2, %109, %arg4) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %118 = "stablehlo.select"(%arg2, %110, %arg5) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %119 = "stablehlo.select"(%arg2, %arg6, %arg6) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %120 = "stablehlo.select"(%arg2, %106, %arg7) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      %121 = "stablehlo.select"(%arg2, %107, %arg8) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      "stablehlo.return"(%115, %116, %117, %118, %119, %120, %121) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) -> ()
    }) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) -> (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>)
    %86 = "stablehlo.multiply"(%85#3, %37) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %87 = "stablehlo.divide"(%86, %arg0) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %88 = "stablehlo.select"(%26, %74, %87) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %89 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %91 = "stablehlo.select"(%11, %90, %88) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %92 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %94 = "stablehlo.select"(%5, %93, %91) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %95 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %97 = "stablehlo.select"(%21, %96, %94) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    "func.return"(%97) : (tensor<12xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
